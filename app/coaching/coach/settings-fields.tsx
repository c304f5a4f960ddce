import { cx } from "class-variance-authority";
import { type Faults, faultAt } from "#app/api/use-form.ts";
import type { CoachSettings } from "#contract/coaching/coach.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input, Select } from "#ui/controls/field.tsx";
import { toLocalDay } from "#ui/format/local-time.ts";
import { Icon } from "#ui/icon.tsx";
import { ZoneOptions } from "../zone-options.tsx";
import { weekdays } from "./settings-words.ts";

interface SettingsFieldsProps {
  value: CoachSettings;
  onChange: (value: CoachSettings) => void;
  faults: Faults;
  /** The prefix of the fields' names, when the settings are part of a larger form. */
  within?: string;
}

/** One line, or two where the form is narrow, because browsers cut off time inputs below their own width. */
const rowStyle =
  "grid grid-cols-[calc(50%-0.25rem)_minmax(0,1fr)_auto] items-center gap-2 @lg:grid-cols-[minmax(0,1fr)_8.25rem_8.25rem_auto]";

/** The fields of a coach's settings, used by coaches and administrators. */
export function SettingsFields({ value, onChange, faults, within }: SettingsFieldsProps) {
  const { displayName, timeZone, meetingUrl, hours, days } = value;
  const change = (part: Partial<CoachSettings>) => onChange({ ...value, ...part });
  const nameOf = (field: string) => (within ? `${within}.${field}` : field);
  const errorOf = (field: string) => faultAt(faults, nameOf(field));
  return (
    <div className="@container grid gap-5">
      <Field label="Name that students see" name={nameOf("displayName")} error={errorOf("displayName")}>
        <Input
          required
          maxLength={60}
          value={displayName}
          onChange={({ target }) => change({ displayName: target.value })}
        />
      </Field>
      <Field
        label="Time zone"
        hint="Hours and days off are wall clock there."
        name={nameOf("timeZone")}
        error={errorOf("timeZone")}
      >
        <Select value={timeZone} onChange={({ target }) => change({ timeZone: target.value })}>
          <ZoneOptions zone={timeZone} />
        </Select>
      </Field>
      <Field
        label="Room (optional)"
        hint="An https address, said to students when they may join. {id} becomes a room of its own for each session."
        name={nameOf("meetingUrl")}
        error={errorOf("meetingUrl")}
      >
        <Input
          type="url"
          maxLength={500}
          value={meetingUrl ?? ""}
          onChange={({ target }) => change({ meetingUrl: target.value.trim() || null })}
        />
      </Field>
      <fieldset className="grid gap-3">
        <legend className="mb-2 font-bold text-sm">Every week</legend>
        {hours.map((each, at) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
            key={at}
            className={rowStyle}
          >
            <div className="col-span-2 @lg:col-span-1">
              <Select
                aria-label={`Weekday of row ${at + 1}`}
                value={each.weekday}
                onChange={({ target }) =>
                  change({ hours: replaced(hours, at, { ...each, weekday: Number(target.value) }) })
                }
              >
                {weekdays.map((name, index) => (
                  <option key={name} value={index + 1}>
                    {name}
                  </option>
                ))}
              </Select>
            </div>
            <ClockInput
              label={`From, row ${at + 1}`}
              value={each.fromTime}
              onChange={(fromTime) => change({ hours: replaced(hours, at, { ...each, fromTime }) })}
            />
            <ClockInput
              label={`To, row ${at + 1}`}
              value={each.toTime}
              onChange={(toTime) => change({ hours: replaced(hours, at, { ...each, toTime }) })}
            />
            <Button
              variant="quiet"
              size="small"
              aria-label={`Remove row ${at + 1} of the week`}
              onClick={() => change({ hours: hours.filter((_, index) => index !== at) })}
              className="px-3! col-start-3 row-start-1 @lg:col-start-4"
            >
              <Icon name="cross" className="size-3" />
            </Button>
          </div>
        ))}
        <Problem text={errorOf("hours")} />
        <Button
          variant="outline"
          size="small"
          className="justify-self-start"
          onClick={() => change({ hours: [...hours, { weekday: 1, fromTime: "09:00", toTime: "12:00" }] })}
        >
          Add hours
        </Button>
      </fieldset>
      <fieldset className="grid gap-3">
        <legend className="mb-2 font-bold text-sm">Days off, and days with other hours</legend>
        {days.map((each, at) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
            key={at}
            className={rowStyle}
          >
            <Input
              type="date"
              className="col-span-2 @lg:col-span-1"
              required
              aria-label={`Date of row ${at + 1}`}
              value={each.date}
              onChange={({ target }) => change({ days: replaced(days, at, { ...each, date: target.value }) })}
            />
            {each.fromTime === null || each.toTime === null ? (
              <Button
                variant="quiet"
                size="small"
                className="col-span-2 justify-self-start"
                aria-label={`Day off, row ${at + 1}: give it hours`}
                onClick={() => change({ days: replaced(days, at, { ...each, fromTime: "09:00", toTime: "12:00" }) })}
              >
                Off: give it hours
              </Button>
            ) : (
              <>
                <ClockInput
                  label={`From, day ${at + 1}`}
                  value={each.fromTime}
                  onChange={(fromTime) => change({ days: replaced(days, at, { ...each, fromTime }) })}
                />
                <ClockInput
                  label={`To, day ${at + 1}`}
                  value={each.toTime}
                  onChange={(toTime) => change({ days: replaced(days, at, { ...each, toTime }) })}
                />
              </>
            )}
            <Button
              variant="quiet"
              size="small"
              aria-label={`Remove day ${at + 1}`}
              onClick={() => change({ days: days.filter((_, index) => index !== at) })}
              className="px-3! col-start-3 row-start-1 @lg:col-start-4"
            >
              <Icon name="cross" className="size-3" />
            </Button>
          </div>
        ))}
        <Problem text={errorOf("days")} />
        <Button
          variant="outline"
          size="small"
          className="justify-self-start"
          onClick={() => change({ days: [...days, { date: toLocalDay(new Date()), fromTime: null, toTime: null }] })}
        >
          Add a day off
        </Button>
      </fieldset>
    </div>
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

function Problem({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <p role="alert" className="font-semibold text-danger text-fine">
      {text}
    </p>
  );
}

function replaced<Each>(list: readonly Each[], at: number, value: Each): Each[] {
  return list.map((each, index) => (index === at ? value : each));
}
