import { queryOf } from "#app/api/query.ts";
import { getUploadLimits, listResources } from "#contract/resources.ts";

/** All resources of the course, with the viewer's access. Modules and lessons show parts of this list. */
export const resourcesQuery = queryOf(listResources, { query: {} });

export const uploadLimitsQuery = queryOf(getUploadLimits);
