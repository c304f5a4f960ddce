import { expect } from "vitest";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { updateProfile } from "#contract/profile.ts";
import { test } from "#test/fixtures.ts";

const profile = {
  firstName: "Inés",
  lastName: "O'Hara-Łukasz",
  phone: "+49 (0)30 1234-567",
  location: "Leipzig",
  bio: "Shelves.\n<b>Boxes</b> & 'tags' %_\\",
};

test("profile fields are stored unchanged, and an empty text clears a field", async ({ student: person }) => {
  expect(await person.call(updateProfile, { body: profile })).toMatchObject({ status: 200, body: profile });
  expect((await person.call(getCurrentUser)).body).toMatchObject(profile);
  await person.call(updateProfile, { body: { ...profile, bio: " ", phone: "" } });
  expect((await person.call(getCurrentUser)).body).toMatchObject({ firstName: "Inés", bio: null, phone: null });
});

test("a form that was opened before the last change overwrites nothing, also when both are saved at once", async ({
  student: person,
}) => {
  const read = async () => (await person.call(getCurrentUser)).body;
  const save = (version: string, location: string) =>
    person.call(updateProfile, { query: { version }, body: { ...profile, location } });
  const { profileVersion } = await read();
  const changed = (await save(profileVersion, "Leipzig")).body;
  expect(await save(profileVersion, "Lisbon")).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect((await read()).location).toBe("Leipzig");
  const answers = await Promise.all(["Lisbon", "Lima"].map((location) => save(changed.profileVersion, location)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await read()).location).toBe(answers.find(({ status }) => status === 200)?.body.location);
});

test("nothing but the five fields can be changed [Z07]", async ({ student: person }) => {
  const before = (await person.call(getCurrentUser)).body;
  for (const field of [
    ...["email", "id", "purchasedTier", "accountStatus", "isAdmin", "role", "hasPurchasedCourse", "createdAt"],
    "emailVerified",
  ]) {
    const answer = await person.call(updateProfile, { body: { ...profile, [field]: "admin@academy.test" } });
    expect(answer.status, field).toBe(400);
  }
  expect((await person.call(getCurrentUser)).body).toEqual(before);
});

test("each field has its limit, and a phone number its format", async ({ student: person }) => {
  for (const change of [
    { firstName: "x".repeat(101) },
    { firstName: "Nora\r\nBcc: victim@example.test" },
    { lastName: "Vale\u202e" },
    { location: "here\nthere" },
    { bio: "x".repeat(2001) },
    { phone: "call me" },
    { phone: "+".repeat(9) },
    { location: null },
    { lastName: ["a"] },
  ]) {
    expect((await person.call(updateProfile, { body: { ...profile, ...change } })).status, JSON.stringify(change)).toBe(
      400,
    );
  }
  for (const phone of ["5551234", "+1 (555) 123-4567 x12", "030/1234567", "0049.30.1234"]) {
    expect((await person.call(updateProfile, { body: { ...profile, phone } })).status, phone).toBe(200);
  }
});
