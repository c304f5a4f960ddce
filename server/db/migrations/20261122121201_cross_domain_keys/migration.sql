-- Nothing changes in the database. Payments and mail do not know purchases and users in code any more: their foreign keys
-- (payment_attempts and card_validations to purchases, letters to users) stay, and are no longer part of the schema there.
select 1;
