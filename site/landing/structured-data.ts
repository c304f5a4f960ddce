import { placeholderOrigin, placeholderSupportEmail } from "#content/site.ts";
import { pictureAddress } from "#contract/branding.ts";
import type { Plan } from "#contract/catalogue.ts";
import type { PageFacts } from "#contract/page-facts.ts";
import { wordsAlone } from "../copy.ts";
import { socialImageNow } from "../head.ts";

const home = `${placeholderOrigin}/`;
const organizationId = `${home}#organization`;

/**
 * The landing page as schema.org data for search engines: the organization, the course with its plans, the questions.
 * Leaves out the rating and the number of students, because they are the owner's claims.
 */
export function structuredData({
  academy,
  plans,
  catalogue,
  copy: { hero, instructor, questions, sections },
}: PageFacts): object {
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Organization",
        "@id": organizationId,
        name: academy.name,
        url: home,
        email: academy.supportEmail ?? placeholderSupportEmail,
        ...(academy.phone && { telephone: academy.phone }),
        logo: placeholderOrigin + (academy.logo?.src ?? "/apple-touch-icon.png"),
      },
      { "@type": "WebSite", name: academy.name, url: home, publisher: { "@id": organizationId } },
      {
        "@type": "Course",
        name: hero.eyebrow,
        description: hero.subline,
        url: home,
        image: socialImageNow().address,
        inLanguage: "en",
        provider: { "@id": organizationId },
        hasCourseInstance: {
          "@type": "CourseInstance",
          courseMode: "Online",
          courseWorkload: workload(catalogue),
          ...(instructor && { instructor: personOf(instructor) }),
        },
        offers: plans.map(offerOf),
      },
      ...(sections.includes("questions")
        ? [
            {
              "@type": "FAQPage",
              mainEntity: questions.questions.map(({ question, answer }) => ({
                "@type": "Question",
                name: question,
                acceptedAnswer: { "@type": "Answer", text: wordsAlone(answer) },
              })),
            },
          ]
        : []),
    ],
  };
}

function personOf({ name, role, picture }: NonNullable<PageFacts["copy"]["instructor"]>): object {
  const image = picture && placeholderOrigin + pictureAddress(picture.id);
  return { "@type": "Person", name, jobTitle: role, ...(image && { image }) };
}

function offerOf({ id, name, description, price: dollars, billing }: Plan): object {
  const price = dollars.toFixed(2);
  return {
    "@type": "Offer",
    sku: id,
    name,
    description,
    url: `${home}#pricing`,
    price,
    priceCurrency: "USD",
    category: billing === "monthly" ? "Subscription" : "Paid",
    availability: "https://schema.org/InStock",
    ...(billing === "monthly" && {
      priceSpecification: {
        "@type": "UnitPriceSpecification",
        price,
        priceCurrency: "USD",
        // 30 days, because a month would be a different duration.
        billingDuration: 30,
        unitCode: "DAY",
      },
    }),
  };
}

/** The total length of all produced lessons, in ISO 8601: "PT480S". */
function workload(catalogue: PageFacts["catalogue"]): string {
  const seconds = catalogue.flatMap(({ lessons }) => lessons).reduce((sum, { duration }) => sum + duration, 0);
  return `PT${seconds}S`;
}
