import { useLocation, useNavigate, useSearchParams } from "react-router";

type Changes = Readonly<Record<string, string | number | null>>;

interface AddressState {
  /** The value of a query parameter. Empty if it is absent. */
  read: (name: string) => string;
  /** Changes some parameters and keeps the others. Null and the empty string remove a parameter. */
  write: (changes: Changes, options?: { replace?: boolean }) => void;
}

/** The URL's query as the page's state, which survives going back, reloading and sharing the link. */
export function useAddress(): AddressState {
  const [query] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  return {
    read: (name) => query.get(name) ?? "",
    write(changes, options) {
      // Reads the current URL: a second change may come before the page has rendered the first.
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === "") next.delete(name);
        else next.set(name, String(value));
      }
      navigate({ search: next.toString() }, { preventScrollReset: true, state, ...options });
    },
  };
}
