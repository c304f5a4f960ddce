const MIN_LENGTH = 10;
const MAX_LENGTH = 128;

/**
 * Words that lists of stolen passwords consist of. A password that is one of them plus digits, punctuation, capitals
 * or look-alike characters is among the first that an attacker tries.
 */
const commonWords = new Set(
  `access account admin administrator amazon america amanda andrew angel anthony apple arsenal asdfghjkl ashley assassin
  austin azerty babygirl banana baseball basketball batman beautiful biteme blessed bonjour bubbles buster business
  butterfly california captain changeme charles charlie cheese chelsea chicken chocolate christian christine christopher
  computer cookie corvette cowboys crystal daniel database default diamond dragon eagles elephant elizabeth everton
  facebook family ferrari flower football forever freedom friends gandalf garfield george ginger goldfish google guitar
  hannah happiness harley heather hello helloworld hockey hunter iloveyou inuyasha internet jasmine jennifer jessica
  jesus jonathan jordan joshua justin killer lakers letmein liverpool login london loveme lovely madison maggie manager
  manchester marina marlboro martin master matrix matthew maverick melissa mercedes michael michelle minecraft mickey
  monday monkey monster morgan mustang myspace naruto nicholas nicole ninja nothing orange pass passphrase password
  patrick peanut pepper phoenix pikachu playboy please pokemon porsche princess purple qazwsx qwerty qwertyuiop rachel
  raiders rangers rebecca richard robert rockyou samantha samsung scooter secret seller shadow shopping silver slipknot
  snowball soccer spiderman starwars steelers stephanie success summer sunday sunshine superman superstar sweetheart
  target taylor teacher tennis thomas thunder tigger tinkerbell trustno trustnoone unicorn user veronica victoria vincent
  wallmart walmart warcraft welcome whatever william windows winter wizard xbox yankees yellow zxcvbnm`.split(/\s+/),
);

/** Rows of a keyboard, the alphabet and the digits: any part of them, forwards or backwards, is easy to guess. */
const runs = [
  "1234567890123456789012345678901234567890",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "qazwsxedcrfvtgbyhnujmikolp",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
].flatMap((run) => [run, [...run].reverse().join("")]);

const lookAlikes: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/**
 * Why a new password is refused, as a message to the person. Null when it is strong enough. Length matters most;
 * apart from it, refuses only the passwords that attackers try first, and those made of the person's name or address.
 */
export function findWeakness(
  password: string,
  person: { email: string; firstName: string; lastName: string },
): string | null {
  if ([...password].length < MIN_LENGTH)
    return `Use at least ${MIN_LENGTH} characters. A few words in a row work well.`;
  if ([...password].length > MAX_LENGTH) return `Use at most ${MAX_LENGTH} characters.`;
  const plain = password.toLowerCase();
  if (isRepetition(plain) || runs.some((run) => run.includes(plain))) {
    return "This password is easy to guess because it repeats itself or follows the keyboard. Choose another one.";
  }
  const cores = coresOf(plain);
  if (cores.some((core) => commonWords.has(core))) {
    return "This password is too common. Choose another one.";
  }
  if (personalWords(person).some((word) => cores.includes(word))) {
    return "This password contains your name or email address. Choose another one.";
  }
  return null;
}

/** The password without digits and punctuation at its start, its end or both, and without look-alike characters. */
function coresOf(plain: string): string[] {
  const start = plain.replace(/^[^\p{L}]+/u, "");
  const end = plain.replace(/[^\p{L}]+$/u, "");
  const both = start.replace(/[^\p{L}]+$/u, "");
  const reveal = (text: string) => [...text].map((sign) => lookAlikes[sign] ?? sign).join("");
  return [plain, start, end, both].flatMap((core) => [core, reveal(core)]);
}

function isRepetition(plain: string): boolean {
  if (new Set(plain).size < 4) return true;
  for (let length = 1; length <= plain.length / 2; length += 1) {
    const unit = plain.slice(0, length);
    if (unit.repeat(Math.ceil(plain.length / length)).startsWith(plain)) return true;
  }
  return false;
}

function personalWords(person: { email: string; firstName: string; lastName: string }): string[] {
  const [name = "", domain = ""] = person.email.toLowerCase().split("@");
  const first = person.firstName.toLowerCase();
  const last = person.lastName.toLowerCase();
  const words = [
    `${name}@${domain}`,
    name,
    domain,
    first,
    last,
    `${first}${last}`,
    `${last}${first}`,
    `${first} ${last}`,
  ];
  return words.filter((word) => word.length > 2);
}
