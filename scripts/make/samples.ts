/**
 * Makes the sample lessons in content/samples: video, captions and poster for each entry of scripts.ts.
 *
 *   node_modules/.bin/node scripts/make/samples.ts [lesson-1-1 ...]
 *
 * Needs ffmpeg, espeak-ng and chromium on the PATH, and the fonts in node_modules. The results are committed,
 * so nobody needs any of this to run the academy. Fails when a duration in the catalogue is not the video's.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { type CatalogueLesson, type CatalogueModule, catalogue } from "../../content/catalogue.ts";
import { barcode, tag } from "../../content/samples/drawings.ts";
import { type SampleLesson, sampleLessons } from "../../content/samples/scripts.ts";

interface Cue {
  from: number;
  to: number;
  words: string;
}

interface Voice {
  pcm: Buffer;
  cues: Cue[];
  /** When each slide appears, in seconds. */
  starts: number[];
  seconds: number;
}

const root = join(import.meta.dirname, "..", "..");
const out = join(root, "content", "samples");
const width = 1280;
const height = 720;
const framesPerSecond = 12;
const sampleRate = 22_050; // what espeak-ng writes
const wipeSeconds = 0.75;
const sentencePause = 0.35;
const slidePause = 0.5;
const slideGrid = 2 / framesPerSecond; // two frames, because one is not a whole number of samples

const work = mkdtempSync(join(tmpdir(), "make-samples-"));
try {
  const wanted = process.argv.slice(2);
  const wrong: string[] = [];
  for (const lesson of sampleLessons) {
    if (wanted.length > 0 && !wanted.includes(lesson.lessonId)) continue;
    const problem = await makeLesson(lesson);
    if (problem) wrong.push(problem);
  }
  if (wrong.length > 0) {
    console.error(`\ncontent/catalogue.ts disagrees:\n  ${wrong.join("\n  ")}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Writes the three files of a lesson. Returns the duration that the catalogue should have, or null when it has it. */
async function makeLesson(sample: SampleLesson): Promise<string | null> {
  const [module, lesson] = lessonById(sample.lessonId);
  const voice = speak(sample);
  const slides = renderSlides(sample, module, lesson);
  const video = join(out, `${sample.lessonId}.mp4`);
  encode(slides, voice, video);
  // Two of them are on the landing page. A third of the size of ffmpeg's, and as sharp.
  await sharp(slides[0])
    .resize(960)
    .jpeg({ quality: 62, mozjpeg: true })
    .toFile(join(out, `${sample.lessonId}.jpg`));
  writeFileSync(join(out, `${sample.lessonId}.vtt`), captions(voice.cues));

  const probe = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", video];
  const seconds = Math.floor(Number(execFileSync("ffprobe", probe, { encoding: "utf8" })));
  console.log(`${sample.lessonId}  ${seconds} s  ${Math.round(statSync(video).size / 1024)} KB`);
  return seconds === lesson.durationSeconds ? null : `${sample.lessonId} durationSeconds: ${seconds}`;
}

function lessonById(id: string): [CatalogueModule, CatalogueLesson] {
  for (const module of catalogue) {
    const lesson = module.lessons.find((candidate) => candidate.id === id);
    if (lesson) return [module, lesson];
  }
  throw new Error(`${id} is not in content/catalogue.ts`);
}

/** Speaks each sentence separately, so that the captions have exact times. */
function speak(sample: SampleLesson): Voice {
  const parts: Buffer[] = [];
  const cues: Cue[] = [];
  const starts: number[] = [];
  let samples = 0;
  const add = (pcm: Buffer) => {
    parts.push(pcm);
    samples += pcm.length / 2;
  };
  const silence = (seconds: number) => add(Buffer.alloc(2 * Math.round(seconds * sampleRate)));

  for (const sentences of [[sample.opening], ...sample.slides.map((slide) => slide.say)]) {
    starts.push(samples / sampleRate);
    silence(wipeSeconds);
    for (const words of sentences) {
      const from = samples / sampleRate;
      add(sayAloud(words));
      cues.push({ from, to: samples / sampleRate + 0.2, words });
      silence(sentencePause);
    }
    silence(slidePause);
    // Rounded to frames: a slide that began between two frames would appear before its scan line.
    silence(slideGrid - ((samples / sampleRate) % slideGrid));
  }
  return { pcm: Buffer.concat(parts), cues, starts, seconds: samples / sampleRate };
}

function sayAloud(words: string): Buffer {
  const spoken = words
    .replace(/\$(\d+)\.(\d\d)/g, "$1 dollars $2")
    .replace(/\$(\d+)/g, "$1 dollars")
    .replaceAll("FNSKU", "F N skew");
  const file = join(work, "sentence.wav");
  run("espeak-ng", "-v", "en-us", "-s", "152", "-p", "42", "-w", file, spoken);
  const wav = readFileSync(file);
  return wav.subarray(wav.indexOf("data") + 8);
}

function captions(cues: readonly Cue[]): string {
  const time = (seconds: number) => new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
  const blocks = cues.map((cue, i) => `${i + 1}\n${time(cue.from)} --> ${time(cue.to)}\n${cue.words}\n`);
  return `WEBVTT\n\n${blocks.join("\n")}`;
}

/** Takes one screenshot of all slides and cuts it, to start the browser once per lesson. */
function renderSlides(sample: SampleLesson, module: CatalogueModule, lesson: CatalogueLesson): string[] {
  const number = lesson.id.replace("lesson-", "");
  const themes = ["label", "yellow", "label", "kraft"];
  const eyebrow = `<p class="eyebrow">Module ${module.position} <i></i> Lesson ${number}</p>`;
  const title = `<section class="ink title">${eyebrow}<h1 class="${lesson.title.length > 26 ? "long" : ""}">${lesson.title}</h1>
    <svg width="${width}" height="${height}">
      <g transform="translate(812 168) rotate(7)">${tag(0, 0, 380, number, "LESSON")}</g>
      <path d="M840 270 C 760 120, 900 60, 880 -10" fill="none" stroke="#C79A62" stroke-width="6"/>
    </svg>${footerCode(lesson.id)}</section>`;
  const rest = sample.slides.map(
    (slide, i) => `<section class="${themes[i % themes.length]}">${eyebrow}<h2>${slide.heading}</h2>
    <svg class="drawing" width="620" height="520" viewBox="0 0 620 520">${slide.drawing}</svg>
    <b class="count">${i + 1}/${sample.slides.length}</b>${footerCode(lesson.id)}</section>`,
  );
  const page = join(work, "slides.html");
  const sheet = join(work, "slides.png");
  writeFileSync(page, `<!doctype html><meta charset="utf-8"><style>${css()}</style>${[title, ...rest].join("")}`);
  run(
    "chromium",
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    `--user-data-dir=${join(work, "browser")}`,
    `--window-size=${width},${height * (rest.length + 1)}`,
    `--screenshot=${sheet}`,
    `file://${page}`,
  );
  run("ffmpeg", "-i", sheet, "-vf", `untile=1x${rest.length + 1}`, join(work, "slide-%d.png"));
  return [title, ...rest].map((_, i) => join(work, `slide-${i + 1}.png`));
}

/** The barcode in the corner that the red line of the video keeps scanning. */
function footerCode(seed: string): string {
  return `<svg class="code" width="190" height="64"><rect width="190" height="64" fill="#FBFAF6"/>${barcode(15, 8, 160, 48, seed)}</svg>`;
}

function css(): string {
  const font = (name: string, file: string, extra = "") =>
    `@font-face { font-family: ${name}; font-weight: 100 900; ${extra} src: url(data:font/woff2;base64,${readFileSync(
      join(root, "node_modules/@fontsource-variable", file),
      "base64",
    )}) }`;
  return `
    ${font("Archivo", "archivo/files/archivo-latin-standard-normal.woff2", "font-stretch: 62% 125%;")}
    ${font("Mono", "martian-mono/files/martian-mono-latin-standard-normal.woff2", "font-stretch: 75% 112.5%;")}
    * { margin: 0; box-sizing: border-box }
    section { position: relative; width: ${width}px; height: ${height}px; overflow: hidden; color: #14130F;
      font-family: Archivo; border-bottom: 12px solid #14130F }
    .ink { background: #14130F; color: #FBFAF6 } .label { background: #FBFAF6 }
    .yellow { background: #FFD60A } .kraft { background: #C79A62 }
    .eyebrow { position: absolute; left: 72px; top: 64px; font: 500 21px Mono; font-stretch: 75%; text-transform: uppercase }
    .eyebrow i { display: inline-block; width: 34px; height: 4px; margin: 0 10px 6px; background: #E5372B }
    h1, h2 { position: absolute; left: 72px; font-weight: 900; font-stretch: 62%; text-transform: uppercase;
      word-spacing: .09em; line-height: .92; text-wrap: balance }
    h1 { top: 150px; width: 720px; font-size: 124px } h1.long { font-size: 104px }
    h2 { top: 140px; width: 500px; font-size: 90px }
    .title svg { position: absolute; left: 0; top: 0 }
    svg.drawing { position: absolute; left: 590px; top: 94px }
    section svg.code { position: absolute; left: 72px; top: 606px }
    .count { position: absolute; left: 290px; top: 626px; font: 500 20px Mono; font-stretch: 75% }
    text { word-spacing: .08em } .h { font-family: Archivo; font-weight: 850; font-stretch: 68% } .t { font-family: Archivo; font-weight: 560; font-stretch: 88% }
    .m { font-family: Mono; font-weight: 600; font-stretch: 75% }`;
}

/** Slides wiped in behind a red scan line, a progress bar along the foot, the voice underneath. */
function encode(slides: readonly string[], voice: Voice, target: string): void {
  const { starts, seconds } = voice;
  const wav = join(work, "voice.pcm");
  writeFileSync(wav, voice.pcm);

  const inputs = slides.flatMap((slide, i) => {
    const shown = (starts[i + 1] ?? seconds) - (starts[i] ?? 0) + wipeSeconds;
    return ["-loop", "1", "-framerate", String(framesPerSecond), "-t", shown.toFixed(3), "-i", slide];
  });
  const wipes = starts.slice(1).map((start, i) => {
    const from = i === 0 ? "[0]" : `[wiped${i}]`;
    return `${from}[${i + 1}]xfade=transition=wiperight:duration=${wipeSeconds}:offset=${start.toFixed(3)}[wiped${i + 1}]`;
  });
  const lineX = starts
    .slice(1)
    .reduceRight(
      (otherwise, start) =>
        `if(between(t,${start.toFixed(3)},${(start + wipeSeconds).toFixed(3)}),${width}*(t-${start.toFixed(3)})/${wipeSeconds},${otherwise})`,
      "-50",
    );
  const bar = (name: string, color: string, size: string) =>
    `color=${color}:size=${size}:rate=${framesPerSecond}[${name}]`;
  const filter = [
    ...wipes,
    bar("line", "0xE5372B", `8x${height}`),
    bar("progress", "0xFFD60A", `${width}x8`),
    bar("scan", "0xE5372B", "206x4"),
    `[wiped${starts.length - 1}][line]overlay=x='${lineX}':y=0[a]`,
    `[a][progress]overlay=x='-${width}+${width}*t/${seconds.toFixed(3)}':y=${height - 10}[b]`,
    "[b][scan]overlay=x=64:y='636+26*sin(2.6*t)',format=yuv420p[video]",
    `[${slides.length}:a]highpass=f=90,lowpass=f=7500,loudnorm=I=-18:TP=-2,aresample=44100[audio]`,
  ];
  run(
    "ffmpeg",
    ...inputs,
    ...["-f", "s16le", "-ar", String(sampleRate), "-ac", "1", "-i", wav],
    ...["-filter_complex", filter.join(";"), "-map", "[video]", "-map", "[audio]", "-t", seconds.toFixed(3)],
    ...["-c:v", "libx264", "-profile:v", "main", "-preset", "slow", "-tune", "stillimage", "-crf", "29", "-g", "96"],
    ...[
      "-c:a",
      "aac",
      "-b:a",
      "56k",
      "-ac",
      "1",
      "-map_metadata",
      "-1",
      "-bitexact",
      "-movflags",
      "+faststart",
      target,
    ],
  );
}

function run(command: string, ...args: string[]): void {
  const quiet = command === "ffmpeg" ? ["-v", "error", "-y"] : [];
  execFileSync(command, [...quiet, ...args], {
    stdio: ["ignore", "ignore", command === "ffmpeg" ? "inherit" : "ignore"],
  });
}
