import { href } from "#contract/addresses.ts";
import type { Plan } from "#contract/catalogue.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { formatCents, formatDollars } from "#contract/money.ts";
import type { Tier } from "#contract/tiers.ts";
import type { Timestamp } from "#server/base/dates.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import { type Link, onDay, questions } from "#server/mail/wording.ts";

export interface InStep {
  /** From 0. */
  readonly step: number;
}

export interface UnfinishedCheckoutFacts extends InStep {
  readonly plan: Pick<Plan, "id" | "name" | "price" | "tier" | "features">;
  /** Of the coupon that the student used. */
  readonly code?: string | null;
  /** In dollars. Absent: the plan's price. Null: no longer what the student saw. */
  readonly cost?: number | null;
}

export const unfinishedCheckoutEmail: StudentEmail<UnfinishedCheckoutFacts, object, "unfinished-checkout"> = {
  kind: "unfinished-checkout",
  topic: "wanted",
  write({ step, plan: { id, name: plan, price, tier, features }, code = null, cost = price }, reader, say) {
    const isFirst = step === 0;
    const { supportEmail } = reader.academy;
    return {
      subject: say(isFirst ? "subject" : "subjectSecond", { plan }),
      paragraphs: [
        isFirst ? say("unfinished", { plan }) : say("questions", { plan, supportEmail }),
        cost === null ? say("featuresOnly", { plan }) : say("features", { plan, price: formatDollars(cost) }),
        ...features.map((feature) => `• ${feature}`),
        !isFirst && say("last"),
      ],
      link: ["Continue to checkout", href.checkout({ tier, priceId: id, name: plan, price, code })],
      ...(isFirst && { closing: questions(reader) }),
    };
  },
};

export interface PayingForNothingFacts extends InStep {
  readonly renewsAt: Timestamp;
  readonly cents: number;
  /** Null: never. */
  readonly lastAt: Timestamp | null;
}

export const payingForNothingEmail: StudentEmail<PayingForNothingFacts, object, "paying-for-nothing"> = {
  kind: "paying-for-nothing",
  topic: "wanted",
  write({ renewsAt, cents, lastAt }, reader, say) {
    const plan = reader.planNames.basic;
    const day = onDay(renewsAt, reader);
    return {
      subject: say("subject", { plan, day }),
      paragraphs: [
        lastAt ? say("since", { lastDay: onDay(lastAt, reader) }) : say("never"),
        say("renews", { plan, day, amount: formatCents(cents) }),
        say("choice"),
      ],
      link: ["Cancel here", href.subscription()],
      otherLinks: [["Go to the course", href.dashboard()]],
    };
  },
};

const listFormat = new Intl.ListFormat("en-US");

export interface NewLessonFacts extends InStep {
  /** Those first that the student asked about. */
  readonly lessons: readonly { readonly id: string; readonly title: string; readonly isAsked: boolean }[];
  /** Whether the student asked about any. */
  readonly isAsked: boolean;
}

export const newLessonEmail: StudentEmail<NewLessonFacts, object, "new-lesson"> = {
  kind: "new-lesson",
  topic: "wanted",
  write({ lessons }, _reader, say) {
    const { id = "", title = "" } = lessons[0] ?? {};
    const titlesOf = (some: typeof lessons) => listFormat.format(some.map((one) => `“${one.title}”`));
    const asked = lessons.filter((one) => one.isAsked);
    const others = lessons.filter((one) => !one.isAsked);
    const count = String(lessons.length);
    return {
      subject: lessons.length === 1 ? say("subject", { title }) : say("subjectSeveral", { count }),
      heading: say("heading"),
      paragraphs: [
        asked.length === 1 && say("asked", { title }),
        asked.length > 1 && say("askedSeveral", { titles: titlesOf(asked) }),
        others.length > 0 && say("open", { titles: titlesOf(others) }),
      ],
      link: ["Go to the lesson", lessonLink(id)],
    };
  },
};

interface LessonOpenFacts {
  readonly lessonId: string;
  readonly title: string;
}

/** Sends what the previous release has scheduled. The next release can delete it. */
export const lessonOpenEmail: StudentEmail<LessonOpenFacts> = {
  kind: "lesson-open",
  write: ({ lessonId, title }) => ({
    subject: `${title} is open`,
    heading: "Now open for you",
    paragraphs: [`You asked us to tell you when ${title} opens. You can start it now.`],
    link: ["Go to the lesson", lessonLink(lessonId)],
  }),
};

export interface WelcomeFacts extends InStep {
  readonly tier: Tier;
}

export const welcomeEmail: StudentEmail<WelcomeFacts, object, "welcome"> = {
  kind: "welcome",
  topic: "wanted",
  write({ step, tier }, { academy: { name: academy, supportEmail }, planNames }, say) {
    const course: Link = ["Go to the course", href.dashboard()];
    if (step === 0) {
      return {
        subject: say("subject", { academy }),
        paragraphs: [say("start", { plan: planNames[tier] }), say("habit")],
        link: course,
      };
    }
    if (step === 1) {
      return {
        subject: say("subjectSecond"),
        paragraphs: [say("notes"), say("questions")],
        link: course,
        otherLinks: [["See the files for download", href.resources()]],
      };
    }
    return {
      subject: say("subjectThird"),
      paragraphs: [say("week", { academy }), say("help", { supportEmail })],
      link: ["See your progress", "/dashboard?tab=progress"],
    };
  },
};

export interface StalledFacts extends InStep {
  /** What the student watches next. Absent: they have watched nothing yet. */
  readonly lessonId?: string | undefined;
  readonly title?: string;
  /** Where they stopped. Null: it has no time, or they finished another lesson last. */
  readonly seconds?: number | null;
}

export const stalledEmail: StudentEmail<StalledFacts, object, "stalled"> = {
  kind: "stalled",
  topic: "wanted",
  write({ step, lessonId, title = "", seconds = null }, _reader, say) {
    const isFirst = step === 0;
    const last = step === 2 && say("last");
    if (lessonId === undefined) {
      return {
        subject: say(isFirst ? "subject" : "subjectAgain"),
        paragraphs: [say("start"), last],
        link: ["Start the first lesson", href.dashboard()],
      };
    }
    if (seconds === null) {
      return {
        subject: say(isFirst ? "subjectStopped" : "subjectNext", { title }),
        paragraphs: [say("next", { title }), last],
        link: ["Go to the lesson", lessonLink(lessonId)],
      };
    }
    return {
      subject: say(isFirst ? "subjectStopped" : "subjectStoppedAgain", { title }),
      paragraphs: [say("stopped", { minute: formatSecond(seconds), title }), last],
      link: ["Continue watching", `${lessonLink(lessonId)}&at=${Math.floor(seconds)}`],
    };
  },
};

function lessonLink(lessonId: string): string {
  return `${href.dashboard()}?lesson=${encodeURIComponent(lessonId)}`;
}
