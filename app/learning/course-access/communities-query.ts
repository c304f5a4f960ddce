import { queryOf } from "#app/api/query.ts";
import { getCommunities } from "#contract/communities.ts";

/** The students' communities and chat. */
export const communitiesQuery = queryOf(getCommunities);
