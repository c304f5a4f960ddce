import { expect, test } from "vitest";
import { stylesOf } from "./page-styles.ts";

test("rules stay whose classes and elements the page has, in every state and medium", () => {
  const sheet =
    ".a{color:red}.b{color:red}p{margin:0}ul{margin:0}.a .b{top:0}.a:hover{top:1px}.a,.b{left:0}" +
    "@media print{.a{top:2px}.b{top:2px}}@media (width>=48rem){.b{top:3px}}.a:not(.b):is(.c){top:4px}";
  expect(stylesOf(sheet, '<p class="x a">')).toBe(
    ".a{color:red}p{margin:0}.a:hover{top:1px}.a{left:0}@media print{.a{top:2px}}.a:not(.b):is(.c){top:4px}",
  );
});

test("escaped names are those of the page, whose attributes are escaped in another way", () => {
  const sheet =
    ".max-h-\\[calc\\(1px\\+2px\\)\\]{top:0}.\\[\\&\\>p\\]\\:x>p{top:1px}.\\32 xl\\:y{top:2px}.md\\:z{top:3px}";
  expect(stylesOf(sheet, '<p class="max-h-[calc(1px+2px)] [&amp;&gt;p]:x 2xl:y">')).toBe(
    ".max-h-\\[calc\\(1px\\+2px\\)\\]{top:0}.\\[\\&\\>p\\]\\:x>p{top:1px}.\\32 xl\\:y{top:2px}",
  );
});

test("variables and keyframes stay as long as something left speaks of them", () => {
  const sheet =
    ":root{--a:1px;--b:var(--a);--c:2px;--d:3px}.x{top:var(--b);animation:spin 1s}.y{top:var(--c);animation:ping 1s}" +
    "@keyframes spin{to{rotate:1turn}}@keyframes ping{to{scale:2}}" +
    '@property --a{syntax:"*";inherits:false}@property --c{syntax:"*";inherits:false}';
  expect(stylesOf(sheet, '<p class="x" fill="var(--d)">')).toBe(
    ":root{--a:1px;--b:var(--a);--d:3px}.x{top:var(--b);animation:spin 1s}@keyframes spin{to{rotate:1turn}}" +
      '@property --a{syntax:"*";inherits:false}',
  );
});

test("layers keep their order though they be empty, and fonts that are fetched wait for the whole sheet", () => {
  const sheet =
    "@layer base{.y{top:0}}@layer utilities{.x{top:0}.y{top:0}}@supports (top:0){.y{top:0}}" +
    '@font-face{font-family:A;src:url("/a.woff2")}@font-face{font-family:B;src:local("Arial")}';
  expect(stylesOf(sheet, '<p class="x">')).toBe(
    '@layer base{}@layer utilities{.x{top:0}}@font-face{font-family:B;src:local("Arial")}',
  );
});
