/** A text that only some of the emails contain has a phrase that tells which. */
type EmailText = string | readonly [text: string, when: string];

interface EmailKind {
  readonly group: "Purchases" | "Membership" | "Coaching" | "Group sessions" | "Course" | "Account" | "Sequences";
  readonly name: string;
  readonly sent: string;
  /** Subjects and headings by names that begin so, and paragraphs. `{plan}` is a placeholder of a fact. */
  readonly texts: Readonly<Record<string, EmailText>>;
}

/**
 * The built-in texts of the automatic emails to students, until the owner publishes others. The emails' own code has
 * what nobody may reword: terms of renewal, tables, buttons and links.
 */
export const builtInEmails = {
  purchased: {
    group: "Purchases",
    name: "Purchase confirmation",
    sent: "After someone buys a plan.",
    texts: {
      subject: "Your {plan} is ready",
      heading: "Payment received",
      coaching: [
        "Your plan includes 1-on-1 coaching: {coaching}. Book your sessions at {page}.",
        "if the plan includes coaching",
      ],
      upgraded: [
        "We took the unused days of your {earlierPlan} off the price. {earlierPlan} has ended.",
        "after an upgrade",
      ],
      replaced: [
        "Your {earlierPlan} won't renew, and you won't be charged for it again.",
        "if it replaces a plan that renews",
      ],
    },
  },
  refunded: {
    group: "Purchases",
    name: "Refund",
    sent: "After you refund a payment.",
    texts: {
      subject: "Your refund of {amount}",
      heading: "We refunded your payment",
      refunded: "We refunded {share} that you paid for {plan} to your card.",
      void: [
        "Your bank hadn't finished processing the payment, so it should disappear from your statement within a few days.",
        "if the payment wasn’t processed yet",
      ],
      refund: ["It can take 5 to 10 days to show up on your statement.", "if the payment was processed"],
    },
  },
  "payment-lost": {
    group: "Purchases",
    name: "Payment reversed",
    sent: "After a bank takes back a payment or doesn’t complete it.",
    texts: {
      subject: ["Your {plan} has ended", "if access ends"],
      subjectKept: ["A payment for your {plan} was reversed", "if access stays"],
      heading: "A payment was reversed",
      disputed: [
        "Your bank took back the {amount} you paid for {plan} because the payment was disputed.",
        "after a dispute",
      ],
      neverPaid: [
        "We never received your {amount} payment for {plan} because your bank didn't complete it.",
        "if the bank didn’t complete it",
      ],
    },
  },
  renewed: {
    group: "Membership",
    name: "Renewal receipt",
    sent: "After each renewal.",
    texts: {
      subject: "Your {plan} was renewed: receipt for {amount}",
      heading: "Renewal paid",
      charged: "We charged {amount} for the next 30 days of {plan}. You don't need to do anything.",
    },
  },
  declined: {
    group: "Membership",
    name: "Card declined",
    sent: "After a bank declines a renewal.",
    texts: {
      subject: "Your payment of {amount} for {plan} didn't go through",
      heading: "Your card was declined",
      declined: "Your bank declined the {amount} payment for the next 30 days of {plan}. You weren't charged.",
      open: [
        "You can use the course until {time}. We keep your account and your progress.",
        "while the student has access",
      ],
      closed: [
        "You can't use the course until you pay. We keep your account and your progress.",
        "if access has ended",
      ],
      again: [
        "We'll try the same card again on {day}. If it goes through, you don't need to do anything. If you add another card now, we'll charge {amount} right away, and your membership continues.",
        "if we’ll try the card again",
      ],
      never: [
        "We can't charge this card again. Add another card, and we'll charge {amount} right away, and your membership continues.",
        "if the card can’t be charged again",
      ],
    },
  },
  unpaid: {
    group: "Membership",
    name: "Renewal not paid",
    sent: "When a renewal is still unpaid after a week and no card was declined.",
    texts: {
      subject: "Your {plan} renewal hasn't been paid",
      heading: "Your renewal hasn't been paid",
      unclear:
        "For a week, we haven't been able to charge you {amount} for the next 30 days of {plan}. Your card may be fine: the payment service hasn't given us a clear answer.",
      confirmed:
        "If your membership page says that a payment is being confirmed, you don't need to do anything. Otherwise, add another card, and we'll charge it right away.",
      ends: "If no payment goes through, you'll lose access until you pay. We keep your account and your progress.",
    },
  },
  "on-hold": {
    group: "Membership",
    name: "On hold after failed payments",
    sent: "When we stop trying to charge for a renewal.",
    texts: {
      subject: "Your {plan} is on hold",
      heading: "Your account is on hold",
      stopped:
        "We couldn't charge you {amount} to renew your {plan}, and we've stopped trying. You can't use the course for now. We keep your account and your progress.",
      back: "Add a new card to get back in. We'll charge {amount} right away, and your next 30 days begin.",
    },
  },
  cancelled: {
    group: "Membership",
    name: "Membership cancelled",
    sent: "After a student or an administrator cancels a membership.",
    texts: {
      subject: "Your {plan} is cancelled",
      heading: "Your plan is cancelled",
      stops: "Your {plan} won't renew, and you won't be charged again.",
      open: [
        "You can use the course until {time}. You can resume any time before then.",
        "while the student has access",
      ],
      closed: [
        "Your access has ended. We keep your progress, so you can pick up where you left off.",
        "if access has ended",
      ],
      other: ["You still have {access}.", "if the student has other access"],
    },
  },
  resumed: {
    group: "Membership",
    name: "Membership resumed",
    sent: "After a student resumes a cancelled membership.",
    texts: { subject: "Your {plan} continues", terms: "You weren't charged today. {terms}" },
  },
  "ends-soon": {
    group: "Membership",
    name: "Access ends soon",
    sent: "Before a plan ends that doesn’t renew.",
    texts: {
      subject: "Your {plan} ends {left}",
      heading: "Your year ends {left}",
      until: "You have {plan} until {time}. It won't renew, and you won't be charged.",
      again:
        "You can add another year for {amount} today. It starts when this year ends, so you don't lose any days. We keep your progress either way.",
    },
  },
  expired: {
    group: "Membership",
    name: "Access ended",
    sent: "When a plan ends.",
    texts: {
      subject: "Your {plan} has ended",
      heading: "Your access has ended",
      ended: "Your {plan} ended on {time}. You won't be charged again.",
      progress: "We keep your account and your progress, so you can pick up where you left off.",
    },
  },
  held: {
    group: "Account",
    name: "Account on hold",
    sent: "After you put an account on hold.",
    texts: {
      subject: "Your account is on hold",
      held: "We've put your account on hold. You can't use the course for now, and we won't charge you in the meantime.",
      reason: ["Reason: {reason}", "if you gave a reason"],
      progress: "We keep your account and your progress.",
    },
  },
  "back-again": {
    group: "Account",
    name: "Account active again",
    sent: "After a hold or a suspension ends.",
    texts: {
      subject: "Your account is active again",
      heading: "Welcome back",
      active: "Your account is active again, and your progress is where you left it.",
      charged: ["We charged {amount} for the next 30 days.", "after a payment"],
      due: [
        "Your renewal of {amount} is still unpaid. We'll charge your card soon, and you can use the course again once it's paid.",
        "if a renewal is unpaid and access has ended",
      ],
      dueAgain: [
        "Your renewal of {amount} is still unpaid. We'll try your card again on {day}. To keep your access, update your card before then.",
        "if a renewal is unpaid and we’ll try the card again",
      ],
      dueNever: [
        "Your renewal of {amount} is still unpaid. We can't charge your card anymore. Update it to keep your access.",
        "if a renewal is unpaid and the card can’t be charged again",
      ],
    },
  },
  suspended: {
    group: "Account",
    name: "Account suspended",
    sent: "After you suspend an account.",
    texts: {
      subject: "Your account is suspended",
      suspended: "We've suspended your account. You can't use the course, and we won't charge you in the meantime.",
      reason: ["Reason: {reason}", "if you gave a reason"],
    },
  },
  "coaching-booked": {
    group: "Coaching",
    name: "Session booked",
    sent: "After a session is booked.",
    texts: {
      subject: "Booked: {title} on {day}",
      heading: "Your session is booked",
      session: "{title}, {minutes} minutes:",
      join: "Join from the session page, starting 15 minutes before. You can move or cancel it there for free until 24 hours before it starts.",
      calendar: "Replies from your calendar app don't reach us. Use the session page to move or cancel.",
    },
  },
  "coaching-moved": {
    group: "Coaching",
    name: "Session moved",
    sent: "After a session is moved.",
    texts: {
      subject: "Moved: {title} is now on {day}",
      heading: "Your session has moved",
      session: "{title}, {minutes} minutes, is now:",
      before: "It was on {earlierTime}.",
      calendar: "Replies from your calendar app don't reach us. Use the session page to move or cancel.",
    },
  },
  "coaching-cancelled": {
    group: "Coaching",
    name: "Session cancelled",
    sent: "After a session is cancelled.",
    texts: {
      subject: "Cancelled: {title} on {day}",
      heading: "Your session is cancelled",
      byStudent: ["You cancelled it.", "if the student cancelled"],
      byCoach: ["{coach} cancelled it.", "if the coach cancelled"],
      byAcademy: ["The academy cancelled it.", "if an administrator cancelled"],
      byAccess: ["It was cancelled because your access changed.", "if access changed"],
      extra: ["You get the session back, plus an extra one that you can use within 60 days.", "if the coach cancelled"],
      free: [
        "The session doesn't count as used. You can book another one while your plan includes coaching.",
        "if it doesn’t count as used",
      ],
      forgiven: [
        "That was less than 24 hours before the start. We forgive the first time in a year, so it doesn't count as used.",
        "if it was late for the first time in a year",
      ],
      used: ["That was less than 24 hours before the start, so the session counts as used.", "if it counts as used"],
    },
  },
  "coaching-reminder": {
    group: "Coaching",
    name: "Session reminder",
    sent: "24 hours and 1 hour before a session.",
    texts: {
      subject: "Reminder: {title} on {day}",
      heading: ["Your session starts in 24 hours", "24 hours before"],
      headingHour: ["Your session starts in an hour", "1 hour before"],
      session: "{title}, {minutes} minutes:",
      late: ["It's too late to cancel for free. If you cancel now, the session counts as used.", "24 hours before"],
      join: "Join from the session page, starting 15 minutes before.",
    },
  },
  "coaching-missed": {
    group: "Coaching",
    name: "Session missed",
    sent: "After the student or the coach misses a session.",
    texts: {
      subject: ["Missed: {title}", "if the student missed it"],
      subjectOurs: ["We missed your session", "if the coach missed it"],
      heading: ["You missed your session", "if the student missed it"],
      ours: [
        "Your coach didn't show up, and we're sorry. You get the session back, plus an extra one that you can use within 60 days.",
        "if the coach missed it",
      ],
      forgiven: [
        "You missed this session. We forgive the first one in a year, so it doesn't count as used.",
        "if the student missed one for the first time in a year",
      ],
      used: ["You missed this session, so it counts as used.", "if it counts as used"],
      contest: "If this isn't what happened, tell us on the session page within 7 days.",
    },
  },
  "coaching-summary": {
    group: "Coaching",
    name: "Summary ready",
    sent: "After a coach writes the summary of a session.",
    texts: {
      subject: "{coach} wrote a summary of your session",
      heading: "Your summary is ready",
      summary: "{coach} wrote down what you agreed on in your session on {time}.",
    },
  },
  "live-scheduled": {
    group: "Group sessions",
    name: "New group session",
    sent: "After you schedule a group session, to students whose plan includes it.",
    texts: { subject: "Group session: {title}", heading: "A new group session", session: "{title}, with {coach}:" },
  },
  "live-seat-taken": {
    group: "Group sessions",
    name: "Seat taken",
    sent: "After a student takes a seat.",
    texts: {
      subject: "You have a seat: {title}",
      heading: "You have a seat",
      session: "{title}, with {coach}:",
      join: "Join from the session page, starting 15 minutes before. If you can't come, give up your seat there.",
      calendar: "Replies from your calendar app don't reach us.",
    },
  },
  "live-seat-given-up": {
    group: "Group sessions",
    name: "Seat given up",
    sent: "After a student gives up a seat or loses access.",
    texts: {
      subject: "You no longer have a seat: {title}",
      heading: "You no longer have a seat",
      gaveUp: ["You gave up your seat in {title}:", "if the student gave it up"],
      lost: ["Your access changed, so you no longer have a seat in {title}:", "if access changed"],
      calendar: "This email removes it from your calendar.",
    },
  },
  "live-changed": {
    group: "Group sessions",
    name: "Group session changed",
    sent: "After you move a group session, to students with a seat.",
    texts: {
      subject: "Changed: {title}",
      heading: "A group session has changed",
      session: "{title}, with {coach}, is now:",
      before: "It was on {earlierTime}.",
      seat: "You still have your seat. If you can't come, give it up on the session page.",
    },
  },
  "live-cancelled": {
    group: "Group sessions",
    name: "Group session cancelled",
    sent: "After you cancel a group session, to students with a seat.",
    texts: {
      subject: "Cancelled: {title}",
      heading: "A group session is cancelled",
      session: "{title}, with {coach}:",
      another: "We'll email you when we schedule another one.",
    },
  },
  "live-reminder": {
    group: "Group sessions",
    name: "Group session reminder",
    sent: "24 hours and 1 hour before a group session, to students with a seat.",
    texts: {
      subject: "Reminder: {title}",
      heading: ["Your group session starts in 24 hours", "24 hours before"],
      headingHour: ["Your group session starts in an hour", "1 hour before"],
      session: "{title}, with {coach}:",
      join: "Join from the session page, starting 15 minutes before.",
    },
  },
  "live-recorded": {
    group: "Group sessions",
    name: "Recording ready",
    sent: "After you add the recording of a group session.",
    texts: {
      subject: "Recording: {title}",
      heading: "The recording is ready",
      ready: "You can now watch {title} with {coach} from {time}.",
    },
  },
  "question-answered": {
    group: "Course",
    name: "Question answered",
    sent: "After someone answers a student’s question.",
    texts: { subject: "Your question has a new answer", answered: "{author} answered your question “{title}”:" },
  },
  "certificate-issued": {
    group: "Course",
    name: "Certificate ready",
    sent: "After a student earns a certificate.",
    texts: {
      subject: "Your certificate is ready",
      completed: "You completed {modules}, and your certificate is ready to download and share.",
      valid: "Anyone with its link can check that it’s valid. It stays yours when your plan ends.",
    },
  },
  "certificate-withdrawn": {
    group: "Course",
    name: "Certificate withdrawn",
    sent: "After a certificate is withdrawn.",
    texts: {
      subject: "Your certificate was withdrawn",
      returned: [
        "Your payment was returned, so your certificate is no longer valid. It becomes valid again if you buy a plan.",
        "after a refund or dispute",
      ],
      reason: ["We’ve withdrawn your certificate. Reason: {reason}", "if you withdrew it"],
      page: "Its page now shows that it was withdrawn and when. You can’t download the PDF anymore.",
    },
  },
  "unfinished-checkout": {
    group: "Sequences",
    name: "Unfinished checkout",
    sent: "1 and 5 days after someone saw their total at checkout and didn’t pay.",
    texts: {
      subject: ["Your checkout for {plan}", "in the first email"],
      subjectSecond: ["Do you have questions about {plan}?", "in the second email"],
      unfinished: [
        "You looked at {plan} and didn't finish your checkout. You haven't been charged.",
        "in the first email",
      ],
      questions: [
        "A few days ago, you looked at {plan}. If something is unclear, write to {supportEmail}. We typically answer within 24 hours.",
        "in the second email",
      ],
      features: ["{plan} costs {price} and includes:", "unless the student’s coupon is no longer valid"],
      featuresOnly: ["{plan} includes:", "if the student’s coupon is no longer valid"],
      last: ["This is our last email about it.", "in the second email"],
    },
  },
  "paying-for-nothing": {
    group: "Sequences",
    name: "Unused membership",
    sent: "5 days before a membership renews, if the student hasn’t signed in or watched a lesson since the last payment.",
    texts: {
      subject: "Your {plan} renews on {day}",
      since: ["You haven't opened the course since {lastDay}.", "if the student has opened the course"],
      never: ["You haven't opened the course yet.", "if the student never opened the course"],
      renews: "Your {plan} renews on {day} for {amount}.",
      choice:
        "If you don't need it anymore, cancel before that day and we won't charge you. If you want to keep it, you don't need to do anything.",
    },
  },
  "new-lesson": {
    group: "Sequences",
    name: "New lesson",
    sent: "When a lesson opens, to students who asked. If the “New lesson” sequence is on, also to everyone whose plan includes it.",
    texts: {
      subject: ["{title} is open", "if one lesson opens"],
      subjectSeveral: ["{count} lessons are open", "if several lessons open together"],
      heading: "Now open for you",
      asked: [
        "You asked us to tell you when “{title}” opens. You can start it now.",
        "if the student asked about one lesson",
      ],
      askedSeveral: [
        "You asked us to tell you when {titles} open. You can start them now.",
        "if the student asked about several lessons",
      ],
      open: ["You can now watch {titles}.", "if lessons open that the student didn’t ask about"],
    },
  },
  welcome: {
    group: "Sequences",
    name: "Welcome",
    sent: "When a student first gets access, then 3 and 7 days later.",
    texts: {
      subject: ["How to start with {academy}", "in the first email"],
      subjectSecond: ["Get more out of each lesson", "in the second email"],
      subjectThird: ["Your first week", "in the third email"],
      start: [
        "{plan} is open for you. Start with the first lesson: your dashboard always shows which one comes next.",
        "in the first email",
      ],
      habit: [
        "Pick two or three times a week and watch one lesson each time. We save where you stop, so you can go on from any device.",
        "in the first email",
      ],
      notes: [
        "While you watch, you can write notes. Each one remembers its moment in the video, and you can download all of them.",
        "in the second email",
      ],
      questions: ["If something is unclear, ask your question below the lesson.", "in the second email"],
      week: [
        "You've been a student of {academy} for a week. Your dashboard shows what you've completed and what comes next.",
        "in the third email",
      ],
      help: ["If anything keeps you from learning, write to {supportEmail}.", "in the third email"],
    },
  },
  stalled: {
    group: "Sequences",
    name: "Not started or stalled",
    sent: "3 days after a purchase if the student watched nothing, or 7 days after they last watched an unfinished course. Then twice more, a week apart. At most 3 in 30 days.",
    texts: {
      subject: ["Your first lesson is ready", "in the first email if the student watched nothing"],
      subjectAgain: ["You haven't started the course yet", "in later emails if the student watched nothing"],
      subjectStopped: ["Continue with “{title}”", "in the first email if the student has watched a lesson"],
      subjectStoppedAgain: ["You stopped in “{title}”", "in later emails if the student stopped in a video"],
      subjectNext: ["“{title}” is next", "in later emails if the student didn’t stop in a video"],
      start: [
        "You haven't watched a lesson yet. The first one is the best place to start.",
        "if the student watched nothing",
      ],
      stopped: [
        "You stopped at {minute} of “{title}”. The link takes you to exactly that moment.",
        "if the student stopped in a video",
      ],
      next: ["Your next lesson is “{title}”.", "if the student didn’t stop in a video"],
      last: ["This is our last reminder.", "in the third email"],
    },
  },
} as const satisfies Readonly<Record<string, EmailKind>>;
