import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";

/**
 * The data of a query, and what is shown instead until there is some: a placeholder, or a failure with a button to retry.
 * @param what completes "Loading the figures" and "The figures didn't load."
 */
export function useLoaded<Data>(query: UseQueryOptions<Data>, what: string) {
  const { data, isPending, refetch } = useQuery(query);
  return {
    data,
    instead: isPending ? <PartLoading what={`the ${what}`} /> : <PartFailed what={`the ${what}`} retry={refetch} />,
  };
}
