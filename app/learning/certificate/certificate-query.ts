import { queryOf } from "#app/api/query.ts";
import { getOwnCertificate } from "#contract/certificates.ts";

export const certificateQuery = queryOf(getOwnCertificate);
