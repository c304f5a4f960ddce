CREATE TABLE "announcement_selections" (
	"selection_id" text,
	"user_id" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "announcement_selections_pkey" PRIMARY KEY("selection_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "bulk_action_people" (
	"bulk_action_id" text,
	"user_id" text,
	"number" integer NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"outcome" text,
	"skipped_because" text,
	"action_id" text NOT NULL,
	"before" json,
	"closed_at" timestamp with time zone,
	CONSTRAINT "bulk_action_people_pkey" PRIMARY KEY("bulk_action_id","user_id"),
	CONSTRAINT "bulk_action_people_outcome" CHECK ("outcome" in ('done', 'skipped')),
	CONSTRAINT "bulk_action_people_skipped_because" CHECK ("skipped_because" in ('team', 'left', 'has-it', 'higher-plan', 'nothing-renews', 'declined', 'blocked', 'suspended', 'not-blocked', 'changed', 'unpaid', 'failed', 'stopped'))
);
--> statement-breakpoint
CREATE TABLE "bulk_actions" (
	"id" text PRIMARY KEY,
	"actor_id" text NOT NULL,
	"kind" text NOT NULL,
	"tier" text,
	"ends_at" timestamp with time zone,
	"reason" text,
	"undoes" text UNIQUE,
	"state" text DEFAULT 'running' NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"people" integer DEFAULT 0 NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "bulk_actions_kind" CHECK ("kind" in ('grant', 'hold', 'suspend', 'reactivate')),
	CONSTRAINT "bulk_actions_tier" CHECK ("tier" in ('basic', 'premium', 'vip')),
	CONSTRAINT "bulk_actions_state" CHECK ("state" in ('running', 'done', 'stopped'))
);
--> statement-breakpoint
CREATE TABLE "saved_filters" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"query" json NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "saved_filters_list" CHECK ("list" in ('users', 'purchases', 'messages'))
);
--> statement-breakpoint
CREATE INDEX "announcement_selections_user_id" ON "announcement_selections" ("user_id");--> statement-breakpoint
CREATE INDEX "announcement_selections_created_at" ON "announcement_selections" ("created_at");--> statement-breakpoint
CREATE INDEX "bulk_action_people_waiting" ON "bulk_action_people" ("bulk_action_id","tries","number") WHERE "outcome" is null;--> statement-breakpoint
CREATE INDEX "bulk_action_people_user_id" ON "bulk_action_people" ("user_id");--> statement-breakpoint
CREATE INDEX "bulk_action_people_closed_at" ON "bulk_action_people" ("closed_at");--> statement-breakpoint
CREATE INDEX "bulk_actions_created_at" ON "bulk_actions" ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_filters_name_unique" ON "saved_filters" ("user_id","list",lower("name"));--> statement-breakpoint
ALTER TABLE "announcement_selections" ADD CONSTRAINT "announcement_selections_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "bulk_action_people" ADD CONSTRAINT "bulk_action_people_bulk_action_id_bulk_actions_id_fkey" FOREIGN KEY ("bulk_action_id") REFERENCES "bulk_actions"("id");--> statement-breakpoint
ALTER TABLE "bulk_action_people" ADD CONSTRAINT "bulk_action_people_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");