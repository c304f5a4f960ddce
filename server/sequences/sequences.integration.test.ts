import { expect } from "vitest";
import { builtInSettings } from "#content/site.ts";
import { changeSequences, getSequences, sequenceNames } from "#contract/admin/sequences.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { isDaytime, type Life, type LifeEvent, livesFrom, paperEmails } from "#test/sequence-model.ts";
import { isControl } from "./control-group.ts";

/** `sequences.long.test.ts` has more, and an hour between two runs. */
const people = Number(process.env.SEQUENCE_PEOPLE ?? 36);
const days = Number(process.env.SEQUENCE_DAYS ?? 32);
const gaps = people > 100 ? [1] : [9, 7, 11, 8, 10];
const seed = 11;

const { academy, administrator: admin, test } = await academyOfFile();
const { pool } = academy;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const controlPercent = 20;

/** Clocks go forward in New York on March 14 and back in Auckland on April 4. */
const beginning = Date.UTC(2027, 2, 7, 0, 20);

const planOf = { basic: "basic_monthly", premium: "premium_annual", vip: "vip_lifetime" } as const;
const daysOf = { basic: 30, premium: 365, vip: null } as const;

async function advanceTo(time: number): Promise<void> {
  const minutes = Math.ceil((time - (await academy.now())) / 60_000);
  if (minutes > 0) await academy.advance(`${minutes}m`);
}

async function enter({ id, email, timeZone, isConfirmed }: Life, at: number): Promise<void> {
  const now = new Date(at);
  await pool.query(
    `insert into users (id, email, email_verified, first_name, created_at, updated_at) values ($1, $2, $3, 'Jo', $4, $4)`,
    [id, email, isConfirmed, now],
  );
  if (timeZone) await pool.query("insert into coaching_calendars values ($1, $2, null, null, $3)", [id, timeZone, now]);
}

async function happen({ id }: Life, event: LifeEvent): Promise<void> {
  const at = new Date(event.at);
  const run = (statement: string, ...values: unknown[]) => pool.query(statement, values);
  const purchase = async (tier: keyof typeof planOf, status: string) => {
    const purchaseId = `${id}-${event.kind}`;
    await run(
      `insert into purchases (id, user_id, plan_id, tier, amount, coaching, status, completed_at, created_at)
       select $1, $2, id, $3, price, coaching, $4, case when $4 = 'completed' then $5::timestamptz end, $5
       from plans where id = $6`,
      ...[purchaseId, id, tier, status, at, planOf[tier]],
    );
    return purchaseId;
  };
  switch (event.kind) {
    case "quote":
      await run(
        "insert into quotes values ($1, $2, 'premium_annual', '{}', 397, $3::timestamptz + interval '1 day', $3)",
        ...[`${id}-${event.at}`, id, at],
      );
      return;
    case "pay": {
      const purchaseId = await purchase("premium", "pending");
      await run(
        `insert into payment_attempts (id, purchase_id, user_id, kind, idempotency_key, reference, invoice_number, amount,
           state, sent_at) values ($1, $1, $2, 'initial', $1, $1, $1, 397, 'held', $3)`,
        ...[purchaseId, id, at],
      );
      return;
    }
    case "decline":
      await run("update purchases set status = 'declined' where user_id = $1", id);
      await run("update payment_attempts set state = 'declined', resolved_at = $2 where user_id = $1", id, at);
      return;
    case "buy": {
      const { tier } = event;
      const purchaseId = await purchase(tier, "completed");
      const endsAt = daysOf[tier] === null ? null : new Date(event.at + daysOf[tier] * DAY);
      await run(
        `insert into grants (id, user_id, tier, source, source_id, purchase_id, starts_at, ends_at, created_at)
         values ($1, $2, $3, 'purchase', $1, $1, $4, $5, $4)`,
        ...[purchaseId, id, tier, at, endsAt],
      );
      await run("update users set purchased_tier = $2, has_purchased_course = true where id = $1", id, tier);
      if (tier !== "basic") return;
      await run("insert into payment_methods (id, user_id, created_at) values ($1, $1, $2)", id, at);
      await run(
        `insert into subscriptions (id, purchase_id, user_id, plan_id, tier, price, payment_method_id, status,
           current_period_start, current_period_end, next_charge_at, created_at)
         values ($1, $2, $1, 'basic_monthly', 'basic', 49, $1, 'active', $3, $4, $4, $3)`,
        ...[id, purchaseId, at, endsAt],
      );
      return;
    }
    case "watch":
      await run(
        `insert into course_progress (id, user_id, lesson_id, module_id, position, credit_since, created_at, updated_at)
         values ($1, $1, 'lesson-1-1', 'module-1', $2, $3, $3, $3)
         on conflict (user_id, lesson_id) do update set position = $2, updated_at = $3`,
        ...[id, event.position, at],
      );
      return;
    case "refund":
      await run("update purchases set status = 'refunded' where user_id = $1", id);
      await run(
        `insert into grant_ends (id, grant_id, ends_at, reason, created_at)
         select id, id, $2, 'refunded', $2 from grants where user_id = $1`,
        ...[id, at],
      );
      await run("update users set purchased_tier = null where id = $1", id);
      await run("update subscriptions set status = 'cancelled', next_charge_at = null where user_id = $1", id);
      return;
    case "cancel":
      await run("update subscriptions set status = 'cancelled', next_charge_at = null where user_id = $1", id);
      return;
    case "unsubscribe":
      await run(
        `insert into announcement_choices (user_id, wanted, updated_at) values ($1, false, $2)
         on conflict (user_id) do update set wanted = false`,
        ...[id, at],
      );
      return;
    case "block":
    case "unblock":
      await run(
        "update users set account_status = $2 where id = $1",
        id,
        event.kind === "block" ? "on_hold" : "active",
      );
  }
}

test("the emails of some weeks are those of the model: whose, when, and each once [N13 N14]", async () => {
  await advanceTo(beginning);
  if (people <= 100) await leaveOnlyJobs(academy, "run-sequences");
  await admin.signInAgain();
  const { settings, version } = (await admin.call(getSequences)).body;
  expect(settings).toEqual({ on: [], controlPercent: 10 });
  const { rows: watchable } = await pool.query<{ id: string; tier: "basic" | "premium" }>(
    `select l.id, m.required_tier as tier from lessons l join modules m on m.id = l.module_id
     where l.released and m.released and not l.coming_soon and not m.coming_soon and l.duration_seconds > 0
       and l.video_id <> 'placeholder-video' and m.id <> 'module-1' order by l.id`,
  );
  const opened = watchable
    .slice(0, 3)
    .map((lesson, n) => ({ ...lesson, at: beginning + (9 + 7 * n) * DAY + 5 * HOUR + 60_000 }));
  for (const { id, at } of opened)
    await pool.query("update lessons set opens_at = $2 where id = $1", [id, new Date(at)]);

  const lives = livesFrom(beginning - 5 * DAY, { people, days, seed });
  for (const life of lives) await enter(life, beginning - 5 * DAY);
  const all = lives.flatMap((life) => life.events.map((event) => ({ life, event })));
  const events = all.toSorted((a, b) => a.event.at - b.event.at);
  const happenUntil = async (time: number) => {
    while (events[0] && events[0].event.at <= time) {
      const { life, event } = events.shift() as (typeof events)[number];
      await happen(life, event);
    }
  };
  // What began before they are on starts nothing.
  await happenUntil(beginning);
  const since = await academy.now();
  const body = { on: [...sequenceNames], controlPercent };
  expect((await admin.call(changeSequences, { body, query: { version } })).status).toBe(200);
  expect((await admin.call(changeSequences, { body, query: { version } })).status).toBe(409);

  const runs: number[] = [];
  for (let time = beginning, n = 0; time < beginning + days * DAY; n++) {
    time += (gaps[n % gaps.length] ?? 1) * HOUR;
    await happenUntil(time);
    await advanceTo(time);
    runs.push(time);
  }

  const paper = paperEmails(lives, {
    ...{ runs, since, openings: opened, academyZone: builtInSettings.timeZone },
    isControl: (userId, sequence) => isControl(userId, sequence, controlPercent),
  });
  const { rows } = await pool.query(
    "select user_id, sequence, step, is_control, decided_at from sequence_emails where user_id like 'life-%'",
  );
  const runOf = (time: number) => runs.findLast((run) => run <= time + 60_000) ?? 0;
  const lines = (
    emails: readonly { userId: string; sequence: string; step: number; at: number; isControl: boolean }[],
  ) =>
    emails
      .map(({ userId, sequence, step, at, isControl }) =>
        [userId, sequence, step, new Date(at).toISOString(), isControl ? "control" : "sent"].join(" "),
      )
      .toSorted();
  const decided = rows.map((row) => ({
    ...{ userId: row.user_id, sequence: row.sequence, step: row.step },
    ...{ at: runOf(row.decided_at.getTime()), isControl: row.is_control },
  }));
  expect(lines(decided)).toEqual(lines(paper));
  // The sample has each step, and people who are left out.
  expect(new Set(paper.map(({ sequence, step }) => `${sequence} ${step}`)).size).toBeGreaterThanOrEqual(
    people > 100 ? 10 : 8,
  );
  expect(paper.some((email) => email.isControl)).toBe(true);

  const mails = (await academy.mails()) as { to: string; subject: string; text: string; at?: string }[];
  const arrived = mails.filter(({ to, text }) => to.startsWith("life-") && text.includes("Unsubscribe from news"));
  const lineOf = (to: string, at: number) => `${to} ${new Date(runOf(at)).toISOString()}`;
  const emailOf = new Map(lives.map((life) => [life.id, life]));
  expect(arrived.map(({ to, at }) => lineOf(to, Date.parse(at ?? ""))).toSorted()).toEqual(
    paper
      .filter((email) => !email.isControl)
      .map(({ userId, at }) => lineOf(emailOf.get(userId)?.email ?? "", at))
      .toSorted(),
  );
  for (const { to, at } of arrived) {
    const zone = emailOf.get(to.replace("@example.test", ""))?.timeZone ?? builtInSettings.timeZone;
    expect(isDaytime(Date.parse(at ?? ""), zone)).toBe(true);
  }

  await admin.signInAgain();
  const { sequences } = (await admin.call(getSequences)).body;
  const last = runs.at(-1) ?? 0;
  for (const { name, steps } of sequences) {
    for (const [step, { sent, control }] of steps.entries()) {
      for (const [figures, isLeftOut] of [
        [sent, false],
        [control, true],
      ] as const) {
        const of = paper.filter((one) => one.sequence === name && one.step === step && one.isControl === isLeftOut);
        const settled = of.filter(({ at }) => at + 7 * DAY < last - 8 * HOUR);
        const bought = settled.filter(({ userId, at }) =>
          emailOf.get(userId)?.events.some((one) => one.kind === "buy" && one.at > at && one.at <= at + 7 * DAY),
        );
        // People of the demo may have got some, too.
        expect(figures.people).toBeGreaterThanOrEqual(of.length);
        expect(figures.bought).toBeGreaterThanOrEqual(bought.length);
        expect(figures.returnedOf).toBeGreaterThanOrEqual(figures.boughtOf);
      }
    }
  }
}, 7_200_000);
