import { isReachable, userById } from "#server/identity/users.ts";
import { emailSender, type SendEmail } from "#server/mail/student-emails.ts";
import { accountDeletedEmail } from "#server/profile/emails.ts";
import { purchasedEmail } from "#server/purchases/emails.ts";
import { paymentLostEmail, refundedEmail } from "#server/refunds/emails.ts";
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

/** Every email to students about what they bought, by its kind. */
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
} as const;

export const sendEmail: SendEmail = emailSender(studentEmails, async (db, userId) => {
  const student = await userById(db, userId);
  return isReachable(student) ? student : null;
});
