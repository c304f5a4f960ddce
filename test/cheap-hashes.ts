/** Of passwords in tests, at the least cost of Argon2id: each sign-in with one saves some 40 milliseconds. */
export const cheapHashes = {
  "academy-demo": "$argon2id$v=19$m=8,t=1,p=1$YSBzYWx0IG9mIHRlc3RzIQ$Jskqu8Kj2ld+SuXOGYOqm3LbOV4Gm0Z2FhSkkEDyl58",
  "seven kettles sing": "$argon2id$v=19$m=8,t=1,p=1$YSBzYWx0IG9mIHRlc3RzIQ$8Qln//462XLjrfADWaM3z/bQCberxojCykOOhIVid+0",
} as const;
