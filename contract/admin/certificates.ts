import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Done, RequiredReason, recordId } from "./admin.ts";

const UserParams = z.object({ userId: recordId });

export const withdrawCertificate = endpoint({
  method: "POST",
  path: "/api/admin/users/{userId}/certificate/withdraw",
  summary:
    "Withdraws a user's certificate. Its page shows it as withdrawn, with the date and without the reason, which the student gets by email",
  permission: "access:give",
  params: UserParams,
  body: RequiredReason,
  reply: Done,
});

export const restoreCertificate = endpoint({
  method: "POST",
  path: "/api/admin/users/{userId}/certificate/restore",
  summary: "Makes a withdrawn certificate valid again, also after a refund or a dispute",
  permission: "access:give",
  params: UserParams,
  body: RequiredReason,
  reply: Done,
});
