ALTER TABLE "users" ADD COLUMN "role" text;--> statement-breakpoint
CREATE INDEX "users_role" ON "users" ("role") WHERE ("role" is not null);--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_role_known" CHECK ("role" in ('owner', 'administrator', 'support'));