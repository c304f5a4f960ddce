/** Every event, with what has happened. */
export const webhookEvents = {
  "user.created": "A person signed up",
  "user.deleted": "An account was deleted",
  "access.changed": "A student’s plan or its end changed",
  "purchase.completed": "A purchase was paid",
  "purchase.refunded": "Money was refunded",
  "purchase.disputed": "A bank took a payment back",
  "subscription.declined": "A renewal was declined",
  "subscription.held": "A subscription was put on hold",
  "subscription.cancelled": "A subscription was cancelled",
  "subscription.resumed": "A subscription was resumed",
  "lesson.completed": "A student completed a lesson",
  "certificate.issued": "A certificate was issued",
  "certificate.withdrawn": "A certificate was withdrawn",
  "booking.booked": "A coaching session was booked",
  "booking.moved": "A coaching session was moved",
  "booking.cancelled": "A coaching session was cancelled",
  "booking.held": "A coaching session took place",
  "question.asked": "A student asked a question",
} as const;
export type WebhookEvent = keyof typeof webhookEvents;
export const webhookEventNames = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]];
