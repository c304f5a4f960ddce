import { href } from "#contract/addresses.ts";
import type { Plan } from "#contract/catalogue.ts";
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
}

export const unfinishedCheckoutEmail: StudentEmail<UnfinishedCheckoutFacts> = {
  kind: "unfinished-checkout",
  topic: "wanted",
  write({ step, plan: { id, name, price, tier, features } }, reader) {
    const { academy } = reader;
    const cost = formatDollars(price);
    const includes = [`${name} costs ${cost} and includes:`, ...features.map((feature) => `• ${feature}`)];
    const link: Link = ["Continue to checkout", href.checkout({ tier, priceId: id, name, price })];
    if (step === 0) {
      const intro = `You looked at ${name} and didn't finish your checkout. You haven't been charged.`;
      return {
        subject: `Your checkout for ${name}`,
        paragraphs: [intro, ...includes],
        link,
        closing: questions(reader),
      };
    }
    return {
      subject: `Do you have questions about ${name}?`,
      paragraphs: [
        `A few days ago, you looked at ${name}. If something is unclear, write to ${academy.supportEmail}. We typically answer within 24 hours.`,
        ...includes,
        "This is our last email about it.",
      ],
      link,
    };
  },
};

export interface PayingForNothingFacts extends InStep {
  readonly renewsAt: Timestamp;
  readonly cents: number;
  /** Null: never. */
  readonly lastAt: Timestamp | null;
}

export const payingForNothingEmail: StudentEmail<PayingForNothingFacts> = {
  kind: "paying-for-nothing",
  topic: "wanted",
  write({ renewsAt, cents, lastAt }, reader) {
    const plan = reader.planNames.basic;
    const day = onDay(renewsAt, reader);
    const unused = lastAt
      ? `You haven't opened the course since ${onDay(lastAt, reader)}.`
      : "You haven't opened the course yet.";
    return {
      subject: `Your ${plan} renews on ${day}`,
      paragraphs: [
        `${unused} It renews on ${day} for ${formatCents(cents)}.`,
        "If you don't need it anymore, cancel before that day and we won't charge you. If you want to go on, you don't need to do anything.",
      ],
      link: ["Cancel here", href.subscription()],
      otherLinks: [["Go to the course", href.dashboard()]],
    };
  },
};

export interface LessonOpenFacts extends InStep {
  /** Titles by id. */
  readonly lessons: Readonly<Record<string, string>>;
  /** Whether the student asked for this email. */
  readonly isAsked: boolean;
}

export const lessonOpenEmail: StudentEmail<LessonOpenFacts, object, "lesson-open"> = {
  kind: "lesson-open",
  topic: "wanted",
  write({ lessons, isAsked }, _reader, say) {
    const ids = Object.keys(lessons).toSorted();
    const [first = ""] = ids;
    const quoted = ids.map((id) => `“${lessons[id]}”`);
    const titles = quoted.length > 1 ? `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}` : quoted.join("");
    return {
      subject:
        ids.length > 1
          ? say("subjectSeveral", { count: String(ids.length) })
          : say("subject", { title: lessons[first] ?? "" }),
      heading: say("heading"),
      paragraphs: [isAsked ? say("asked", { titles }) : say("open", { titles })],
      link: ["Go to the lesson", lessonLink(first)],
    };
  },
};

export interface WelcomeFacts extends InStep {
  readonly tier: Tier;
}

export const welcomeEmail: StudentEmail<WelcomeFacts> = {
  kind: "welcome",
  topic: "wanted",
  write({ step, tier }, { academy, planNames }) {
    const course: Link = ["Go to the course", href.dashboard()];
    if (step === 0) {
      return {
        subject: `How to start with ${academy.name}`,
        paragraphs: [
          `${planNames[tier]} is open for you. Start with the first lesson: your dashboard always shows which one comes next.`,
          "Pick two or three times a week and watch one lesson each time. We save where you stop, so you can go on from any device.",
        ],
        link: course,
      };
    }
    if (step === 1) {
      return {
        subject: "Get more out of each lesson",
        paragraphs: [
          "While you watch, you can write notes. Each one remembers its moment in the video, and you can download all of them.",
          "If something is unclear, ask your question below the lesson.",
        ],
        link: course,
        otherLinks: [["See the files for download", href.resources()]],
      };
    }
    return {
      subject: "Your first week",
      paragraphs: [
        `You've been a student of ${academy.name} for a week. Your dashboard shows what you've completed and what comes next.`,
        `If anything keeps you from learning, write to ${academy.supportEmail}.`,
      ],
      link: ["See your progress", "/dashboard?tab=progress"],
    };
  },
};

export interface StalledFacts extends InStep {
  /** What the student watched last. Absent: nothing yet. */
  readonly lessonId?: string;
  readonly title?: string;
  /** Where they stopped. */
  readonly seconds?: number;
}

const lastReminder = "This is our last reminder.";

export const stalledEmail: StudentEmail<StalledFacts> = {
  kind: "stalled",
  topic: "wanted",
  write({ step, lessonId, title, seconds = 0 }) {
    const last = step === 2 && lastReminder;
    if (lessonId === undefined) {
      return {
        subject: step === 0 ? "Your first lesson is ready" : "You haven't started the course yet",
        paragraphs: ["You haven't watched a lesson yet. The first one is the best place to start.", last],
        link: ["Start the first lesson", href.dashboard()],
      };
    }
    const minute = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
    return {
      subject: step === 0 ? `Continue with “${title}”` : `You stopped in “${title}”`,
      paragraphs: [`You stopped at ${minute} of “${title}”. The link takes you to exactly that moment.`, last],
      link: ["Continue watching", `${lessonLink(lessonId)}&at=${Math.floor(seconds)}`],
    };
  },
};

function lessonLink(lessonId: string): string {
  return `${href.dashboard()}?lesson=${encodeURIComponent(lessonId)}`;
}
