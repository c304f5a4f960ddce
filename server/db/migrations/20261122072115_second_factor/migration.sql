CREATE TABLE "issuer"."recovery_codes" (
	"code_hash" text PRIMARY KEY,
	"subject" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "issuer"."second_factors" (
	"subject" text PRIMARY KEY,
	"secret" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "recovery_codes_subject_index" ON "issuer"."recovery_codes" ("subject");--> statement-breakpoint
ALTER TABLE "issuer"."recovery_codes" ADD CONSTRAINT "recovery_codes_subject_accounts_subject_fkey" FOREIGN KEY ("subject") REFERENCES "issuer"."accounts"("subject") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "issuer"."second_factors" ADD CONSTRAINT "second_factors_subject_accounts_subject_fkey" FOREIGN KEY ("subject") REFERENCES "issuer"."accounts"("subject") ON DELETE CASCADE;