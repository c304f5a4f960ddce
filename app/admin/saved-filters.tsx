import { queryOptions, useQuery } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import {
  deleteFilter,
  type FilteredList,
  listSavedFilters,
  renameFilter,
  type SavedFilter,
  saveFilter,
} from "#contract/admin/saved-filters.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input } from "#ui/controls/field.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { useAddress } from "./address.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import type { pageOf } from "./paging.tsx";

const savedFiltersQuery = queryOptions({
  queryKey: ["admin", "saved-filters"],
  queryFn: ({ signal }) => api(listSavedFilters, { signal }),
});

/** The query parameters of each list that a saved filter contains. */
const namesOf: Readonly<Record<FilteredList, readonly string[]>> = {
  users: ["search", "tier", "status", "sort", "order"],
  purchases: ["search", "tier", "status", "subscription", "sort", "order"],
  messages: ["search", "state"],
};

type Asked = { what: "save" } | { what: "rename" | "delete"; filter: SavedFilter };

/** The administrator's saved filters, each one click away. Parameters that the list no longer has are left out. */
export function SavedFilters({ list, page }: { list: FilteredList; page: ReturnType<typeof pageOf> }) {
  const { read } = useAddress();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { data } = useQuery(savedFiltersQuery);
  const kept = data?.filter((filter) => filter.list === list) ?? [];
  const present = Object.fromEntries(namesOf[list].flatMap((name) => (read(name) ? [[name, read(name)]] : [])));
  const open = kept.find(({ query }) => isSame(query, present));
  const canSave = Object.keys(present).length > 0 && !open;
  const apply = (query: Readonly<Record<string, string>>) =>
    page.refine(Object.fromEntries(namesOf[list].map((name) => [name, query[name] ?? null])));
  if (kept.length === 0 && !canSave) return null;
  return (
    <fieldset className="-mt-1 mb-4 flex min-w-0 flex-wrap items-center gap-2">
      <legend className="sr-only">Saved filters</legend>
      {kept.map((filter) => (
        <button
          key={filter.id}
          type="button"
          aria-pressed={filter === open}
          onClick={() => apply(filter === open ? {} : filter.query)}
          className={cx(
            "min-h-9 max-w-full truncate rounded-full border-[1.5px] px-3.5 text-sm",
            filter === open ? "border-ink bg-ink font-bold text-canvas" : "border-line-strong hover:border-ink",
          )}
        >
          {filter.name}
        </button>
      ))}
      {open && (
        <Menu label={`More actions for the filter ${open.name}`}>
          <MenuItem onSelect={() => setAsked({ what: "rename", filter: open })}>Rename filter</MenuItem>
          <MenuItem onSelect={() => setAsked({ what: "delete", filter: open })}>Delete filter</MenuItem>
        </Menu>
      )}
      {canSave && (
        <Button
          variant="quiet"
          size="small"
          className={cx("px-2! underline", kept.length === 0 && "-ml-2")}
          onClick={() => setAsked({ what: "save" })}
        >
          Save this filter
        </Button>
      )}
      {asked?.what === "delete" && <DeleteDialog filter={asked.filter} onClose={() => setAsked(null)} />}
      {asked?.what === "save" && (
        <NameDialog
          title="Save this filter"
          name=""
          save={(name) => api(saveFilter, { body: { list, name, query: present } })}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.what === "rename" && (
        <NameDialog
          title="Rename filter"
          name={asked.filter.name}
          save={(name) => api(renameFilter, { params: { id: asked.filter.id }, body: { name } })}
          onClose={() => setAsked(null)}
        />
      )}
    </fieldset>
  );
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => one[name] === other[name]);
}

interface NameDialogProps {
  title: string;
  name: string;
  save: (name: string) => Promise<SavedFilter>;
  onClose: () => void;
}

function NameDialog({ title, name: initial, save, onClose }: NameDialogProps) {
  const [name, setName] = useState(initial);
  return (
    <ConfirmDialog
      title={title}
      description="Its search, its choices and its order. Only you see it."
      confirm="Save"
      isIncomplete={!name.trim()}
      act={() => save(name)}
      words={{ done: "Filter saved", failed: "Failed to save the filter" }}
      onClose={onClose}
    >
      {(faults) => (
        <Field name="name" label="Name" error={faults.name}>
          <Input maxLength={40} autoComplete="off" value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
      )}
    </ConfirmDialog>
  );
}

function DeleteDialog({ filter, onClose }: { filter: SavedFilter; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`Delete the filter “${filter.name}”?`}
      description="The list stays as it is."
      confirm="Delete filter"
      isDangerous
      act={() => api(deleteFilter, { params: { id: filter.id }, body: {} })}
      words={{ done: "Filter deleted", failed: "Failed to delete the filter" }}
      onClose={onClose}
    />
  );
}
