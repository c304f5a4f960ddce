/** The path of bars in a box of 100 by 20, always the same for the same text. An ornament without a real code. */
export function barsOf(value: string): string {
  let state = 7;
  for (const character of value) state = (state * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  let path = "M0 0h1v20h-1zM2 0h1v20h-1z";
  let x = 4;
  while (x < 95) {
    state = (state * 171 + 11_213) % 53_125;
    const bar = 1 + (state % 3);
    const gap = 1 + (Math.floor(state / 7) % 2);
    path += `M${x} 0h${bar}v20h-${bar}z`;
    x += bar + gap;
  }
  return `${path}M97 0h1v20h-1zM99 0h1v20h-1z`;
}
