CREATE TABLE "player_choices" (
	"user_id" text PRIMARY KEY,
	"plays_next" boolean NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "player_choices" ADD CONSTRAINT "player_choices_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");