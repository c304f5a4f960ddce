CREATE INDEX "letters_sent_at" ON "letters" ("sent_at");--> statement-breakpoint
CREATE INDEX "card_links_expires_at" ON "card_links" ("expires_at");