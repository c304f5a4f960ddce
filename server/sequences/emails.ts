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

export const unfinishedCheckoutEmail: StudentEmail<UnfinishedCheckoutFacts, object, "unfinished-checkout"> = {
  kind: "unfinished-checkout",
  topic: "wanted",
  write({ step, plan: { id, name: plan, price, tier, features } }, reader, say) {
    const isFirst = step === 0;
    const { supportEmail } = reader.academy;
    return {
      subject: say(isFirst ? "subject" : "subjectSecond", { plan }),
      paragraphs: [
        isFirst ? say("unfinished", { plan }) : say("questions", { plan, supportEmail }),
        say("features", { plan, price: formatDollars(price) }),
        ...features.map((feature) => `• ${feature}`),
        !isFirst && say("last"),
      ],
      link: ["Continue to checkout", href.checkout({ tier, priceId: id, name: plan, price })],
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
  /** Titles by id. */
  readonly lessons: Readonly<Record<string, string>>;
  /** Whether the student asked for this email. */
  readonly isAsked: boolean;
}

export const newLessonEmail: StudentEmail<NewLessonFacts, object, "new-lesson"> = {
  kind: "new-lesson",
  topic: "wanted",
  write({ lessons, isAsked }, _reader, say) {
    const ids = Object.keys(lessons).toSorted();
    const [first = ""] = ids;
    const title = lessons[first] ?? "";
    const isOne = ids.length === 1;
    const titles = listFormat.format(ids.map((id) => `“${lessons[id]}”`));
    const asked = () => (isOne ? say("asked", { title }) : say("askedSeveral", { titles }));
    return {
      subject: isOne ? say("subject", { title }) : say("subjectSeveral", { count: String(ids.length) }),
      heading: say("heading"),
      paragraphs: [isAsked ? asked() : say("open", { titles })],
      link: ["Go to the lesson", lessonLink(first)],
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
  /** What the student watched last. Absent: nothing yet. */
  readonly lessonId?: string | undefined;
  readonly title?: string;
  /** Where they stopped. */
  readonly seconds?: number;
}

export const stalledEmail: StudentEmail<StalledFacts, object, "stalled"> = {
  kind: "stalled",
  topic: "wanted",
  write({ step, lessonId, title = "", seconds = 0 }, _reader, say) {
    const isFirst = step === 0;
    const last = step === 2 && say("last");
    if (lessonId === undefined) {
      return {
        subject: say(isFirst ? "subject" : "subjectAgain"),
        paragraphs: [say("start"), last],
        link: ["Start the first lesson", href.dashboard()],
      };
    }
    const minute = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
    return {
      subject: say(isFirst ? "subjectStopped" : "subjectStoppedAgain", { title }),
      paragraphs: [say("stopped", { minute, title }), last],
      link: ["Continue watching", `${lessonLink(lessonId)}&at=${Math.floor(seconds)}`],
    };
  },
};

function lessonLink(lessonId: string): string {
  return `${href.dashboard()}?lesson=${encodeURIComponent(lessonId)}`;
}
