CREATE TABLE "ended_sign_ins" (
	"issuer" text,
	"subject" text,
	"ended_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ended_sign_ins_pkey" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "issuer"."logouts" (
	"subject" text PRIMARY KEY,
	"ended_at" timestamp with time zone NOT NULL,
	"kept_sid" text
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_verified_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "issuer"."accounts" ADD COLUMN "last_sign_in_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "issuer"."accounts" ADD COLUMN "sign_ins_ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "issuer"."links" ADD COLUMN "new_email" text;--> statement-breakpoint
CREATE INDEX "ended_sign_ins_ended_at" ON "ended_sign_ins" ("ended_at");