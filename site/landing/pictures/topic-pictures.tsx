import type { ReactNode } from "react";
import type { TopicPicture } from "#contract/copy.ts";

/**
 * The drawings above course topics, which rest on their lower edge like boxes on a shelf. They keep the light colour
 * scheme in dark mode, because cardboard and paper do not change colour.
 */
export const drawings: Readonly<Record<TopicPicture, () => ReactNode>> = {
  sum: Sum,
  scanner: Scanner,
  history: History,
  bag: Bag,
  box: SealedBox,
  list: FindList,
};

/** Replaces a drawing, at the same height. */
export function TopicNumber({ number }: { number: number }) {
  return (
    <p aria-hidden="true" className="narrow grid aspect-[320/190] items-end text-[4rem] leading-[0.85] sm:text-[8rem]">
      {number}
    </p>
  );
}

function Picture({ children }: { children: ReactNode }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 320 190" className="scheme-light block h-auto w-full">
      <g className="stroke-2 stroke-ink" strokeLinejoin="round" strokeLinecap="round">
        {children}
      </g>
    </svg>
  );
}

const bars = (x: number, y: number, height: number) =>
  [0, 4, 7, 12, 15, 21, 25, 28, 34, 38, 41, 46].map((step) => `M${x + step} ${y}v${height}`).join("");

/** A boxed game with a price on it, and the slip where its worth is worked out. */
function Sum() {
  return (
    <Picture>
      <path d="M30 62h128v128H30z" className="fill-kraft" />
      <path d="M30 62h128v30H30z" className="fill-kraft-soft" />
      <path d="M48 118h60M48 132h42" className="stroke-[6]" />
      <path d="m112 140 12-12h52v40h-52l-12-12z" className="fill-tag stroke-tag-ink" />
      <circle cx="126" cy="148" r="3.5" className="fill-tag-ink stroke-none" />
      <path d="M138 142h28M138 154h18" className="stroke-[4] stroke-tag-ink" />
      <path d="M196 40h92v150h-92z" className="fill-surface" />
      <path
        d="M210 66h34M262 66h14M210 88h40M262 88h14M210 110h26M262 110h14"
        className="stroke-[4] stroke-line-strong"
      />
      <path d="M208 128h70" />
      <path d="M256 148h20" className="stroke-[7]" />
      <path d="m282 96 22-74 12 4-22 74-10 10z" className="fill-tag" />
    </Picture>
  );
}

/** A phone over the barcode of a box, the red line on it. */
function Scanner() {
  return (
    <div className="scheme-light relative">
      <Picture>
        <path d="M24 84h92v106H24zM204 96h92v94h-92z" className="fill-kraft-soft" />
        <path d="M100 48h120v142H100z" className="fill-kraft" />
        <path d="M120 104h80v56h-80z" className="fill-surface" />
        <path d={bars(137, 114, 36)} />
        <path
          d="M178 18h82a8 8 0 0 1 8 8v128a8 8 0 0 1-8 8h-82a8 8 0 0 1-8-8V26a8 8 0 0 1 8-8z"
          className="fill-line-strong"
        />
        <path d="M178 32h82v112h-82z" className="fill-surface" />
        <path d={bars(196, 66, 44)} />
        <path d="M212 153h14" className="stroke-[3] stroke-surface" />
      </Picture>
      <span className="scan-line" />
    </div>
  );
}

/** Ninety days of a price as steps, on a counter sign. */
function History() {
  return (
    <Picture>
      <path d="M40 26h240v140H40z" className="fill-surface" />
      <path d="M132 166h56v24h-56z" className="fill-kraft" />
      <path d="M60 56h200M60 90h200M60 124h200" className="stroke-1 stroke-line" />
      <path d="M60 84h38V70h30v34h16V62h44v22h24v-8h48" className="fill-none stroke-[5]" strokeLinejoin="miter" />
      <path d="M60 76h200" className="stroke-scan" strokeDasharray="2 7" />
      <path
        d="M60 148v-12M76 148v-7M92 148v-15M108 148v-9M124 148v-6M140 148v-17M156 148v-10M172 148v-13M188 148v-7M204 148v-11M220 148v-15M236 148v-8M252 148v-12"
        className="stroke-[5] stroke-line-strong"
      />
    </Picture>
  );
}

/** A unit in its bag beside a roll of labels. */
function Bag() {
  return (
    <Picture>
      <path d="M46 30h112v160H46z" className="fill-sunken" />
      <path d="M46 44h112" strokeDasharray="3 6" />
      <path d="M66 78h72v96H66z" className="fill-kraft" />
      <path d="M76 128h52v34H76z" className="fill-surface" />
      <path d={bars(80, 134, 14)} />
      <path d="M80 155h30" className="stroke-line-strong" />
      <path d="M58 54c10 30 6 70-2 122M148 60c-4 24-2 60 2 116" className="fill-none stroke-1 stroke-line-strong" />
      <path d="M202 116c-12-16-15-26-15-50h-18c0 40 8 64 26 92z" className="fill-surface" />
      <circle cx="238" cy="144" r="46" className="fill-surface" />
      <circle cx="238" cy="144" r="18" className="fill-kraft" />
      <circle cx="238" cy="144" r="10" className="fill-kraft-ink" />
      <path d="M166 66h42v36h-42z" className="fill-surface" />
      <path d="M173 74v20M177 74v20M182 74v20M186 74v20M192 74v20M197 74v20" />
    </Picture>
  );
}

/** A box that is taped shut and labelled twice. */
function SealedBox() {
  return (
    <Picture>
      <path d="M52 58h216v132H52z" className="fill-kraft" />
      <path d="M52 58h216v34H52z" className="fill-kraft-soft" />
      <path d="M142 58h36v62l-6-5-6 5-6-5-6 5-6-5-6 5z" className="fill-tag stroke-tag-ink" />
      <path d="M70 118h58v56H70zM196 130h56v44h-56z" className="fill-surface" />
      <path d="M78 128v18M82 128v18M87 128v18M91 128v18M97 128v18M102 128v18M106 128v18M112 128v18M118 128v18" />
      <path d="M78 156h40M78 164h24M204 142h28M204 152h40M204 162h20" className="stroke-line-strong" />
    </Picture>
  );
}

/** A list on a board, and the neighbours of the first find on the shelf. */
function FindList() {
  return (
    <Picture>
      <path d="M36 34h110v156H36z" className="fill-kraft" />
      <path d="M46 50h90v130H46z" className="fill-surface" />
      <path d="M70 24h42v20H70z" className="fill-line-strong" />
      <path d="m56 76 6 6 10-12M56 106l6 6 10-12" className="fill-none stroke-[3] stroke-scan" />
      <path d="M84 78h40M84 108h34M84 138h40M84 164h26" className="stroke-[4] stroke-line-strong" />
      <path d="M56 132h12v12H56zM56 158h12v12H56z" className="fill-none" />
      <path d="M170 108h40v82h-40z" className="fill-tag stroke-tag-ink" />
      <path
        d="M216 120h34v70h-34zM256 96h36v94h-36z"
        className="fill-kraft-soft stroke-line-strong"
        strokeDasharray="5 6"
      />
      <path d="M180 124h20M180 136h12" className="stroke-[4] stroke-tag-ink" />
    </Picture>
  );
}
