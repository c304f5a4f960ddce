import { z } from "zod";

type Issue = Parameters<NonNullable<z.core.$ZodConfig["customError"]>>[0];

/** Has schemas without a message of their own refuse with the messages of the forms. */
export function setFormMessages(): void {
  z.config({ customError: wordsOf });
}

function wordsOf(issue: Issue): string | undefined {
  if (issue.input === undefined || issue.input === null) return "Required";
  switch (issue.code) {
    case "invalid_type":
      return `Enter ${kinds[issue.expected] ?? "another value"}`;
    case "invalid_format":
      return `Invalid ${formats[issue.format] ?? "format"}`;
    case "too_small":
      if (issue.origin === "string")
        return issue.minimum === 1n || issue.minimum === 1 ? "Required" : `Use ${issue.minimum} characters or more`;
      if (issue.origin === "array") return `Add at least ${issue.minimum}`;
      return issue.inclusive ? `Enter ${issue.minimum} or more` : `Enter more than ${issue.minimum}`;
    case "too_big":
      if (issue.origin === "string") return `Use ${issue.maximum} characters or fewer`;
      if (issue.origin === "array") return `No more than ${issue.maximum}`;
      return issue.inclusive ? `Enter ${issue.maximum} or less` : `Enter less than ${issue.maximum}`;
    case "invalid_value":
      return issue.input === "" ? "Required" : `Choose one of: ${issue.values.map(String).join(", ")}`;
    case "unrecognized_keys":
      return `Unknown: ${issue.keys.join(", ")}`;
    default:
      return undefined;
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

const formats: Readonly<Record<string, string>> = {
  url: "address",
  datetime: "time",
  date: "date",
};
