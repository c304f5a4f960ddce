import { queryOf } from "#app/api/query.ts";
import { getCatalogue } from "#contract/catalogue.ts";

/** Modules and lessons as the viewer may use them. */
export const catalogueQuery = queryOf(getCatalogue);
