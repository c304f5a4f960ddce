import { Fragment } from "react";
import { type Block, parseMarkup, type Span } from "#contract/markup.ts";
import { WithSupportLinks } from "#ui/frame/support.tsx";

interface ProseProps {
  /** In the markup of `contract/markup.ts`. */
  text: string;
  /** The class of each paragraph. */
  className?: string;
  listClassName: string;
  /** The level of the headings within the text. */
  level: 3 | 4;
}

/** Renders an owner's text with several paragraphs. */
export function Prose({ text, className, listClassName, level }: ProseProps) {
  const Heading = level === 3 ? "h3" : "h4";
  return parseMarkup(text).map((block, at) => {
    const key = `${at} ${block.kind}`;
    if (block.kind === "heading") {
      return (
        <Heading key={key} className="font-bold">
          <Line spans={block.spans} />
        </Heading>
      );
    }
    return block.kind === "list" ? (
      <ul key={key} className={listClassName}>
        {itemsOf(block).map(({ spans, key }) => (
          <li key={key}>
            <Line spans={spans} />
          </li>
        ))}
      </ul>
    ) : (
      <p key={key} className={className}>
        <Line spans={block.spans} />
      </p>
    );
  });
}

function itemsOf({ items }: Extract<Block, { kind: "list" }>) {
  return items.map((spans, at) => ({ spans, key: at }));
}

function Line({ spans }: { spans: readonly Span[] }) {
  return spans.map(({ text, href }, at) => {
    const key = `${at} ${href}`;
    return href ? (
      <a key={key} href={href} rel="noreferrer" className="font-semibold underline underline-offset-4">
        {text}
      </a>
    ) : (
      <Lines key={key} text={text} />
    );
  });
}

/** Keeps line breaks. */
function Lines({ text }: { text: string }) {
  return text.split("\n").map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a fixed text never move
    <Fragment key={at}>
      {at > 0 && <br />}
      <WithSupportLinks text={line} />
    </Fragment>
  ));
}
