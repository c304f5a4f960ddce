ALTER TABLE "issuer"."keys" ADD COLUMN "sealed" text;--> statement-breakpoint
ALTER TABLE "issuer"."keys" ADD COLUMN "signs_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "issuer"."keys" ALTER COLUMN "jwks" SET DEFAULT '{"keys":[]}';