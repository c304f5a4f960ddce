import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getCatalogue } from "#contract/catalogue.ts";

/** Modules and lessons as the viewer may use them. */
export const catalogueQuery = queryOptions({
  queryKey: ["catalogue"],
  queryFn: ({ signal }) => api(getCatalogue, { signal }),
});
