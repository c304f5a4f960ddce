import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { FormField } from "#app/editing/form-field.tsx";
import { faultOf, type Written } from "#app/editing/written.ts";
import type { CoachSettings } from "#contract/coaching/coach.ts";
import { Button } from "#ui/controls/button.tsx";
import { Input, Select } from "#ui/controls/field.tsx";
import { toLocalDay } from "#ui/format/local-time.ts";
import { Icon } from "#ui/icon.tsx";
import { zoneOptions } from "../zone-options.ts";
import { weekdays } from "./settings-words.ts";

/** The fields of a coach's settings, used by coaches and administrators. */
export function SettingsFields({ form }: { form: Written<CoachSettings> }) {
  return (
    <div className="@container grid gap-5">
      <FormField form={form} name="displayName" label="Name shown to students" />
      <FormField
        form={form}
        name="timeZone"
        label="Time zone"
        hint="Hours and days off are in this time zone."
        options={zoneOptions(form.value.timeZone)}
      />
      <FormField
        form={form}
        name="meetingUrl"
        label="Meeting room (optional)"
        hint="An address that starts with https://. Students see it when they can join. Add {id} for a separate room for each session."
      />
      <Rows
        form={form}
        name="hours"
        title="Weekly hours"
        add="Add hours"
        remove={(number) => `Remove weekly hours, row ${number}`}
        added={() => ({ weekday: 1, fromTime: "09:00", toTime: "12:00" })}
      >
        {({ weekday, fromTime, toTime }, change, number) => (
          <>
            <div className="col-span-2 @lg:col-span-1">
              <Select
                aria-label={`Weekday of row ${number}`}
                value={weekday}
                onChange={({ target }) => change({ weekday: Number(target.value) })}
              >
                {weekdays.map((name, index) => (
                  <option key={name} value={index + 1}>
                    {name}
                  </option>
                ))}
              </Select>
            </div>
            <ClockInput label={`From, row ${number}`} value={fromTime} onChange={(fromTime) => change({ fromTime })} />
            <ClockInput label={`To, row ${number}`} value={toTime} onChange={(toTime) => change({ toTime })} />
          </>
        )}
      </Rows>
      <Rows
        form={form}
        name="days"
        title="Days off and days with other hours"
        add="Add a day off"
        remove={(number) => `Remove day ${number}`}
        added={() => ({ date: toLocalDay(new Date()), fromTime: null, toTime: null })}
      >
        {({ date, fromTime, toTime }, change, number) => (
          <>
            <Input
              type="date"
              className="col-span-2 @lg:col-span-1"
              required
              aria-label={`Date of row ${number}`}
              value={date}
              onChange={({ target }) => change({ date: target.value })}
            />
            {fromTime === null || toTime === null ? (
              <Button
                variant="quiet"
                size="small"
                className="col-span-2 justify-self-start"
                aria-label={`Closed this day. Add hours, row ${number}`}
                onClick={() => change({ fromTime: "09:00", toTime: "12:00" })}
              >
                Closed this day. Add hours
              </Button>
            ) : (
              <>
                <ClockInput
                  label={`From, day ${number}`}
                  value={fromTime}
                  onChange={(fromTime) => change({ fromTime })}
                />
                <ClockInput label={`To, day ${number}`} value={toTime} onChange={(toTime) => change({ toTime })} />
              </>
            )}
          </>
        )}
      </Rows>
    </div>
  );
}

interface RowsProps<Name extends "hours" | "days"> {
  form: Written<CoachSettings>;
  name: Name;
  title: string;
  /** The labels of the buttons. */
  add: string;
  remove: (number: number) => string;
  added: () => CoachSettings[Name][number];
  children: (
    row: CoachSettings[Name][number],
    change: (changes: Partial<CoachSettings[Name][number]>) => void,
    number: number,
  ) => ReactNode;
}

/** A row takes one line, or two where the form is narrow, because browsers cut off time inputs below their own width. */
function Rows<Name extends "hours" | "days">({ form, name, title, add, remove, added, children }: RowsProps<Name>) {
  const rows: readonly CoachSettings[Name][number][] = form.value[name];
  const put = (changed: readonly CoachSettings[Name][number][]) => form.change({ [name]: changed });
  const fault = faultOf(form, name);
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-bold text-sm">{title}</legend>
      {rows.map((row, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
          key={at}
          className="grid grid-cols-[calc(50%-0.25rem)_minmax(0,1fr)_auto] items-center gap-2 @lg:grid-cols-[minmax(0,1fr)_8.25rem_8.25rem_auto]"
        >
          {children(row, (changes) => put(rows.with(at, { ...row, ...changes })), at + 1)}
          <Button
            variant="quiet"
            size="small"
            aria-label={remove(at + 1)}
            onClick={() => put(rows.toSpliced(at, 1))}
            className="px-3! col-start-3 row-start-1 @lg:col-start-4"
          >
            <Icon name="cross" className="size-3" />
          </Button>
        </div>
      ))}
      {fault && (
        <p role="alert" className="font-semibold text-danger text-fine">
          {fault}
        </p>
      )}
      <Button variant="outline" size="small" className="justify-self-start" onClick={() => put([...rows, added()])}>
        {add}
      </Button>
    </fieldset>
  );
}

interface ClockInputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Time inputs have no 24:00, so midnight at the end of a day is entered as 00:00. */
function ClockInput({ label, value, onChange }: ClockInputProps) {
  const isEnd = label.startsWith("To");
  return (
    <Input
      type="time"
      required
      aria-label={label}
      className={cx(
        "px-2.5! @max-3xs:[&::-webkit-calendar-picker-indicator]:hidden",
        isEnd && "col-span-2 @lg:col-span-1",
      )}
      value={value === "24:00" ? "00:00" : value}
      onChange={({ target }) => onChange(isEnd && target.value === "00:00" ? "24:00" : target.value)}
    />
  );
}
