-- An academy after some years: 100,000 users, 150,000 purchases with payments and refunds, 1,000,000 progress rows. All
-- numbers derive from the row's own, so that two runs measure the same.
insert into users (id, email, email_verified, first_name, last_name, has_purchased_course, purchased_tier, account_status,
  created_at, updated_at)
select 'bench-user-' || n, 'person' || n || '@bench' || n % 50 || '.example', n % 3 > 0,
  (array['Ada', 'Björn', 'Chidi', 'Dolores', 'Émile', 'Fatima', 'Goran', 'Hana', 'Ines', 'Jo'])[1 + n % 10],
  (array['Shelf', 'Okafor', 'Petrović', 'Clarke', 'Vega', 'Nguyen', 'Lindqvist', 'Barker', 'Quill', 'Moreau', 'Sato'])
    [1 + n % 11] || ' ' || n % 977,
  n % 5 > 0, (array[null, 'basic', 'basic', 'premium', 'vip'])[1 + n % 5],
  case when n % 40 = 0 then 'on_hold' when n % 97 = 0 then 'suspended' when n % 211 = 0 then 'deleted' else 'active' end,
  now() - n % 1095 * interval '1 day' - n * interval '1 second', now() - n % 300 * interval '1 day'
from generate_series(1, 100000) as n;

insert into coupons (code, kind, percent, plans, starts_at, ends_at, uses, first_purchase_only, is_active, created_at)
select 'BENCH-' || n, 'percent', 10, array['basic', 'premium', 'vip'], now() - interval '1100 days', now() + interval '30 days',
  700, false, true, now() - n * interval '1 day'
from generate_series(1, 20) as n;

insert into coupon_uses (coupon_code, user_id, state, updated_at)
select 'BENCH-' || 1 + n % 20, 'bench-user-' || 1 + n % 100000, case when n % 29 > 0 then 'used' else 'released' end, now()
from generate_series(7, 100000, 7) as n;

-- Every tenth purchase has a coupon.
insert into purchases (id, user_id, plan_id, tier, amount, coaching, transaction_id, status, completed_at, created_at,
  coupon_code, discount)
select 'bench-purchase-' || n, 'bench-user-' || 1 + n % 100000, plan.id, plan.tier, plan.price, plan.coaching, 'bench-' || n,
  case when n % 41 = 0 then 'refunded' when n % 29 = 0 then 'declined' else 'completed' end,
  case when n % 29 > 0 then bought_at end, bought_at,
  case when n % 7 = 0 and n <= 100000 then 'BENCH-' || 1 + n % 20 end, case when n % 7 = 0 and n <= 100000 then 5 else 0 end
from generate_series(1, 150000) as n
  join plans as plan on plan.position = case when n % 5 < 3 then 0 when n % 5 = 3 then 1 else 2 end,
  lateral (select now() - n % 1000 * interval '1 day' - n * interval '1 second' as bought_at) as instant;

insert into payment_methods (id, user_id, brand, last4, created_at)
select id, user_id, 'Visa', '1111', completed_at from purchases
where id like 'bench-%' and tier = 'basic' and completed_at is not null;

-- Paid for 1 to 12 months. The rest renews, tomorrow at the earliest.
insert into subscriptions (id, purchase_id, user_id, plan_id, tier, price, payment_method_id, status, current_period_start,
  current_period_end, next_charge_at, dunning_since, cancelled_at, created_at)
select 'bench-subscription-' || n, purchase.id, purchase.user_id, plan_id, tier, amount, purchase.id, subscription.status,
  period_end - interval '30 days', period_end, case when subscription.status <> 'cancelled' then period_end end,
  case when subscription.status = 'declined' then now() - interval '1 day' end,
  case when subscription.status = 'cancelled' then period_end - interval '1 day' end, purchase.completed_at
from purchases as purchase, lateral (select split_part(purchase.id, '-', 3)::int as n) as named,
  lateral (select case when n % 7 <= 1 or purchase.status = 'refunded' then 'cancelled' when n % 53 = 0 then 'declined'
    else 'active' end as status) as subscription,
  lateral (select case when subscription.status = 'cancelled' then completed_at + (1 + n % 12) * interval '30 days'
    else now() + (1 + n % 30) * interval '1 day' end as period_end) as period
where purchase.id like 'bench-%' and tier = 'basic' and completed_at is not null;

-- A third of Lifetime Access was bought before plans promised coaching.
update purchases set coaching = '{"sessions":1,"everyDays":30,"minutes":30}'
where id like 'bench-%' and tier = 'vip' and completed_at > now() - interval '666 days';

insert into grants (id, user_id, tier, source, source_id, purchase_id, starts_at, ends_at, created_at)
select 'bench-grant-' || id, user_id, tier, 'purchase', id, id, completed_at,
  completed_at + case tier when 'basic' then (1 + split_part(id, '-', 3)::int % 12) * interval '30 days'
    when 'premium' then interval '365 days' end, completed_at
from purchases where id like 'bench-%' and completed_at is not null;

insert into grant_ends (id, grant_id, ends_at, reason, created_at)
select 'bench-end-' || id, 'bench-grant-' || id, completed_at + interval '3 days', 'refunded', completed_at + interval '3 days'
from purchases where id like 'bench-%' and completed_at is not null and status = 'refunded';

insert into payment_attempts (id, purchase_id, user_id, kind, renews_from, idempotency_key, reference, invoice_number,
  amount, state, transaction_id, response_code, last4, brand, sent_at, resolved_at)
select 'bench-attempt-' || number || '-' || try, purchase.id, purchase.user_id,
  case when try = 0 then 'initial' else 'renewal' end, case when try > 0 then purchase.created_at + try / 2 * interval '30 days' end,
  'bench-' || number || '-' || try, 'bench-' || number || '-' || try, purchase.id, purchase.amount,
  case when purchase.status = 'declined' or try % 2 = 1 and number % 9 = 0 then 'declined' else 'approved' end,
  'bench-' || number || case when try > 0 then '-' || try else '' end, '1', '1111', 'Visa',
  purchase.created_at + try * interval '15 days', purchase.created_at + try * interval '15 days'
from purchases as purchase, lateral (select split_part(purchase.id, '-', 3)::int as number) as named,
  generate_series(0, case when purchase.tier = 'basic' and purchase.status = 'completed' then 4 else 0 end) as try
where purchase.id like 'bench-%' and (try = 0 or try % 2 = 0 or number % 9 = 0);

insert into refunds (id, purchase_id, attempt_id, user_id, kind, amount, ends_access, reference, state, actor, sent_at,
  resolved_at)
select 'bench-refund-' || purchase.id, purchase.id, 'bench-attempt-' || split_part(purchase.id, '-', 3) || '-0',
  purchase.user_id, 'refund', purchase.amount, true, 'bench-' || purchase.id, 'returned', 'bench',
  purchase.created_at + interval '3 days', purchase.created_at + interval '3 days'
from purchases as purchase where purchase.id like 'bench-%' and purchase.status = 'refunded';

insert into visit_counts (day, step, visits)
select now()::date - n, step, 400 / number + n % 50
from generate_series(0, 1094) as n, unnest(array['landing', 'plan', 'sign-in']) with ordinality as steps (step, number)
on conflict do nothing;

insert into course_progress (id, user_id, lesson_id, module_id, is_completed, watch_time, position, credit_since,
  completed_at, created_at, updated_at)
select 'bench-' || n || '-' || lesson_number, 'bench-user-' || n, lesson.id, lesson.module_id, lesson_number < watched,
  case when lesson_number < watched then lesson.duration_seconds else n % 30 end, n % 30, instant,
  case when lesson_number < watched then instant end, instant, instant
from generate_series(1, 100000) as n,
  lateral (select 8 + n % 5 as watched, now() - n % 700 * interval '1 day' as instant) as student,
  (select *, row_number() over (order by id) as lesson_number from lessons where duration_seconds > 0) as lesson
where lesson_number <= watched;

insert into check_answers (user_id, lesson_id, question_id, version, given, is_right, was_shown, first_given,
  is_first_right, created_at, updated_at)
select 'bench-user-' || n, lesson_id, question_id, version, array['bench'], true, false, array['wrong ' || n % 7], n % 3 > 0,
  now(), now()
from generate_series(1, 25000) as n, check_questions where position is not null;

insert into contacts (id, name, email, message, client_hash, state, created_at)
select 'bench-contact-' || n, 'Person ' || n, 'person' || n || '@bench' || n % 50 || '.example',
  repeat('Where do I find my receipt number ' || n || '? ', 4), 'bench', (array['new', 'open', 'answered', 'answered'])[1 + n % 4],
  now() - n * interval '1 hour'
from generate_series(1, 20000) as n;

insert into audit_log (id, actor, action, subject, after, created_at)
select 'bench-audit-' || n, 'bench-user-1', (array['change tier', 'hold account', 'refund purchase'])[1 + n % 3],
  'bench-user-' || n % 100000, '{"tier": "premium"}', now() - n * interval '10 minutes'
from generate_series(1, 50000) as n;

-- The demo's coach has had 9,000 sessions and is booked for weeks without a gap.
insert into bookings (id, coach_id, user_id, starts_at, ends_at, student_zone, state, is_over, room, created_at, closed_at)
select 'bench-booking-' || n, coach.user_id, 'bench-user-' || n, starts_at, starts_at + interval '30 minutes',
  'America/New_York', case when n <= 9000 then 'held' else 'booked' end, n <= 9000, 'bench-' || n,
  starts_at - interval '20 days', case when n <= 9000 then starts_at + interval '1 hour' end
from (select user_id from coaches limit 1) as coach, generate_series(1, 10000) as n,
  lateral (select date_trunc('hour', now()) + (n - 9000) * interval '30 minutes' as starts_at) as time
on conflict do nothing;

-- 2,000 sessions were returned, and half of them are used.
insert into extra_sessions (id, user_id, reason, source_id, expires_at, booking_id, created_at)
select 'bench-extra-' || n, 'bench-user-' || n * 5, 'your coach did not come', 'bench-' || n,
  now() + (n % 60 - 10) * interval '1 day', case when n % 2 = 0 and n < 1800 then 'bench-booking-' || n * 5 end, now() - n % 400 * interval '1 day'
from generate_series(1, 2000) as n;

update users set role = 'support' where id in (select 'bench-user-' || n from generate_series(1, 20) as n);

insert into sent_emails (id, user_id, kind, subject, sent_at)
select 'bench-email-' || n, 'bench-user-' || 1 + n % 100000, 'purchased', 'Your receipt', now() - n * interval '5 minutes'
from generate_series(1, 200000) as n;

insert into person_notes (id, user_id, author_id, text, written_at)
select 'bench-note-' || n, 'bench-user-' || 70001 + n % 20, 'bench-user-1', 'Called about an invoice.', now() - n * interval '1 day'
from generate_series(1, 1000) as n;

insert into invitations (id, email, tier, author_id, created_at, expires_at, sent_at, accepted_at)
select 'bench-invitation-' || n, 'guest' || n || '@bench.example', 'basic', 'bench-user-1', now() - n * interval '1 minute',
  now() + interval '20 days', now() - n * interval '1 minute', case when n % 3 = 0 then now() end
from generate_series(1, 5000) as n;

-- 10,000 questions in a year, two of three with two answers, and 100,000 people who found one helpful.
insert into question_posts (id, lesson_id, author_id, title, text, at, created_at, answers, is_answered, first_answered_at,
  helpful, reports)
select 'bench-question-' || n, lesson.id, 'bench-user-' || n, 'Which label goes on carton ' || n || '?',
  repeat('The scanner reads another number than the label of the carton. ', 8), n % 60, now() - n * interval '50 minutes',
  case when n % 3 > 0 then 2 else 0 end, n % 3 > 0,
  case when n % 3 > 0 then now() - n * interval '50 minutes' + n % 40 * interval '1 hour' end, 10,
  case when n % 100 = 0 then 1 else 0 end
from generate_series(1, 10000) as n
  join (select id, row_number() over (order by id) - 1 as number, count(*) over () as lessons from lessons) as lesson
    on n % lesson.lessons = lesson.number;

insert into question_posts (id, question_id, lesson_id, author_id, text, created_at)
select question.id || '-' || part, question.id, lesson_id, 'bench-user-' || 20000 + part, 'The one of the carton, see the end.',
  first_answered_at + part * interval '1 minute'
from question_posts as question, generate_series(1, 2) as part where is_answered and question.id like 'bench-%';

insert into question_marks (post_id, user_id, kind, created_at)
select 'bench-question-' || 1 + n % 10000, 'bench-user-' || n, 'helpful', now() from generate_series(1, 100000) as n;

insert into question_marks (post_id, user_id, kind, created_at)
select id, 'bench-user-9', 'report', now() from question_posts where reports > 0;

-- 200 announcements, five of them to 20,000 people.
insert into announcements (id, subject, text, audience, state, people, done, created_at, started_at, finished_at)
select 'bench-announcement-' || n, 'News ' || n, repeat('What is new. ', 20), 'everybody', 'done', 20000, 20000,
  now() - n * interval '5 days', now() - n * interval '5 days', now() - n * interval '5 days'
from generate_series(1, 200) as n;

insert into announcement_recipients (announcement_id, user_id, due_at, outcome, closed_at)
select 'bench-announcement-' || a, 'bench-user-' || n, now() - a * interval '5 days', 'sent', now() - a * interval '5 days'
from generate_series(1, 5) as a, generate_series(1, 20000) as n;

-- 50 bulk actions. The last two, on 9,000 users each, can be undone.
insert into bulk_actions (id, actor_id, kind, tier, reason, state, people, done, created_at, finished_at)
select 'bench-bulk-' || n, 'bench-user-1', case n when 1 then 'grant' else 'suspend' end, case n when 1 then 'premium' end,
  'bench', 'done', 9000, 9000, now() - n * interval '1 day', now() - n * interval '1 day'
from generate_series(1, 50) as n;

insert into bulk_action_people (bulk_action_id, user_id, number, outcome, action_id, before, closed_at)
select 'bench-bulk-' || a, 'bench-user-' || n * 10, n, 'done', 'bench-action-' || a || '-' || n,
  '{"accountStatus":"active","suspensionReason":null,"isHeld":false}', now() - a * interval '1 day'
from generate_series(1, 2) as a, generate_series(1, 9000) as n;
