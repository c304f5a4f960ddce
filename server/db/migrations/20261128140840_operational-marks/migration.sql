-- Nobody reads coaching_offers any more. The release after this one drops it.
CREATE TABLE "operational_marks" (
	"name" text PRIMARY KEY,
	"value" json NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
with moved as (
  delete from settings where name not in ('academy', 'offer') and name not like 'copy:%' and name not like 'reviewed:%' returning *
)
insert into operational_marks select * from moved;
