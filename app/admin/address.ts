import { useLocation, useNavigate, useSearchParams } from "react-router";

type Changes = Readonly<Record<string, string | number | null>>;

interface AddressState {
  /** The value of one name of the query; empty when it is not there. */
  read: (name: string) => string;
  /** Changes some names and leaves the others; null and empty take one out. */
  write: (changes: Changes, options?: { replace?: boolean }) => void;
}

/** The query of the address as the state of the page: going back, reloading and sending the link all keep it. */
export function useAddress(): AddressState {
  const [query] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  return {
    read: (name) => query.get(name) ?? "",
    write(changes, options) {
      // Read anew: two changes may come before the page has followed the first.
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === "") next.delete(name);
        else next.set(name, String(value));
      }
      navigate({ search: next.toString() }, { preventScrollReset: true, state, ...options });
    },
  };
}
