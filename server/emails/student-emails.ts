import { findUnsubscribeUrl } from "#server/announcements/choices.ts";
import { currentPlanNames } from "#server/catalogue/catalogue.ts";
import { certificateIssuedEmail, certificateWithdrawnEmail } from "#server/certificates/emails.ts";
import { findZone } from "#server/coaching/calendars.ts";
import {
  bookedEmail,
  handedOverEmail,
  missedEmail,
  movedEmail,
  reminderEmail,
  sessionCancelledEmail,
  summaryEmail,
} from "#server/coaching/emails.ts";
import {
  liveCancelledEmail,
  liveChangedEmail,
  liveHandedOverEmail,
  liveRecordedEmail,
  liveReminderEmail,
  liveScheduledEmail,
  seatGivenUpEmail,
  seatTakenEmail,
} from "#server/coaching/live/emails.ts";
import { isReachable, userById } from "#server/identity/users.ts";
import { emailSender, type SendEmail } from "#server/mail/student-emails.ts";
import { roleChangedEmail, teamChangedEmail } from "#server/people/role-emails.ts";
import { accountDeletedEmail } from "#server/profile/emails.ts";
import { purchasedEmail } from "#server/purchases/emails.ts";
import { questionAnsweredEmail, questionsWaitingEmail } from "#server/questions/emails.ts";
import { paymentLostEmail, refundedEmail } from "#server/refunds/emails.ts";
import {
  lessonOpenEmail,
  newLessonEmail,
  payingForNothingEmail,
  stalledEmail,
  unfinishedCheckoutEmail,
  welcomeEmail,
} from "#server/sequences/emails.ts";
import { decidedAgain } from "#server/sequences/sending.ts";
import { videoPreparedEmail } from "#server/studio/emails.ts";
import { declinedEmail, onHoldEmail, unpaidEmail } from "#server/subscriptions/dunning-emails.ts";
import {
  backAgainEmail,
  cancelledEmail,
  endsSoonEmail,
  expiredEmail,
  heldEmail,
  renewedEmail,
  resumedEmail,
  suspendedEmail,
} from "#server/subscriptions/emails.ts";

/** Every kind of email to students about purchases, to coaches about sessions and to the team about roles, questions and videos. */
export const studentEmails = {
  purchased: purchasedEmail,
  renewed: renewedEmail,
  "ends-soon": endsSoonEmail,
  declined: declinedEmail,
  unpaid: unpaidEmail,
  "on-hold": onHoldEmail,
  held: heldEmail,
  "back-again": backAgainEmail,
  cancelled: cancelledEmail,
  resumed: resumedEmail,
  refunded: refundedEmail,
  "payment-lost": paymentLostEmail,
  expired: expiredEmail,
  suspended: suspendedEmail,
  "account-deleted": accountDeletedEmail,
  "role-changed": roleChangedEmail,
  "team-changed": teamChangedEmail,
  "coaching-booked": bookedEmail,
  "coaching-moved": movedEmail,
  "coaching-cancelled": sessionCancelledEmail,
  "coaching-handed-over": handedOverEmail,
  "coaching-reminder": reminderEmail,
  "coaching-missed": missedEmail,
  "coaching-summary": summaryEmail,
  "live-scheduled": liveScheduledEmail,
  "live-seat-taken": seatTakenEmail,
  "live-seat-given-up": seatGivenUpEmail,
  "live-changed": liveChangedEmail,
  "live-handed-over": liveHandedOverEmail,
  "live-cancelled": liveCancelledEmail,
  "live-reminder": liveReminderEmail,
  "live-recorded": liveRecordedEmail,
  "unfinished-checkout": decidedAgain(unfinishedCheckoutEmail),
  "paying-for-nothing": decidedAgain(payingForNothingEmail),
  "new-lesson": decidedAgain(newLessonEmail),
  "lesson-open": lessonOpenEmail,
  welcome: decidedAgain(welcomeEmail),
  stalled: decidedAgain(stalledEmail),
  "certificate-issued": certificateIssuedEmail,
  "certificate-withdrawn": certificateWithdrawnEmail,
  "question-answered": questionAnsweredEmail,
  "questions-waiting": questionsWaitingEmail,
  "video-prepared": videoPreparedEmail,
} as const;

export const sendEmail: SendEmail = emailSender(
  studentEmails,
  async (db, userId) => {
    const student = await userById(db, userId);
    if (!isReachable(student)) return null;
    const { email, firstName, lastName } = student;
    const [timeZone, planNames] = await Promise.all([findZone(db, userId), currentPlanNames(db)]);
    return { email, firstName: firstName ?? lastName, timeZone, planNames };
  },
  findUnsubscribeUrl,
);
