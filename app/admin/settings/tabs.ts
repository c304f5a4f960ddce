/** The tabs of the settings by their id, and other words by which a search finds them. */
export const settingsTabs = {
  general: { title: "General", words: "name time zone" },
  look: { title: "Look", words: "logo colors favicon brand plain" },
  support: { title: "Support", words: "email hours telephone address" },
  communities: { title: "Communities", words: "facebook telegram discord chat" },
  mails: { title: "Emails and receipts", words: "sender seller tax refund window" },
  course: { title: "Course", words: "certificates signature reviews" },
} as const;
