import type { ReactNode } from "react";
import { api } from "#app/api/api.ts";
import type { AcademySettings } from "#contract/academy.ts";
import { draftSettings } from "#contract/admin/content.ts";
import { Field, Input, Textarea } from "#ui/controls/field.tsx";
import { Editor, NumberInput } from "../content/editor.tsx";
import { CommunitiesFields } from "./communities-fields.tsx";
import { LookFields } from "./look-fields.tsx";

type Settings = AcademySettings & { version: string };

interface SettingsFormProps {
  /** With the version that the input is based on. */
  saved: Settings;
  /** The values of the server's environment variables, which apply where a setting is empty. */
  configured: { supportEmail: string; senderName: string | null };
}

export function SettingsForm({ saved, configured }: SettingsFormProps) {
  return (
    <Editor title="The academy" name="settings" saved={saved} save={save}>
      {({ value, change, errorOf }) => {
        const text = (field: TextField) => ({
          value: value[field] ?? "",
          onChange: ({ target }: { target: { value: string } }) =>
            change({ [field]: field === "name" ? target.value : target.value || null }),
        });
        return (
          <>
            <Field
              label="Name"
              hint="On every page, mail and receipt, and in what search engines show."
              name="name"
              error={errorOf("name")}
            >
              <Input maxLength={60} {...text("name")} />
            </Field>
            <Part id="look" title="Look">
              <LookFields value={value} change={change} errorOf={errorOf} />
            </Part>
            <Part id="support" title="Support">
              <Field
                label="Support address"
                hint={`Empty: ${configured.supportEmail}, as the server is configured.`}
                name="supportEmail"
                error={errorOf("supportEmail")}
              >
                <Input type="email" maxLength={254} {...text("supportEmail")} />
              </Field>
              <Field label="Phone" hint="Empty: none is shown." name="phone" error={errorOf("phone")}>
                <Input type="tel" maxLength={30} {...text("phone")} />
              </Field>
              <Field
                label="Office hours"
                hint="Empty: none are shown."
                name="officeHours"
                error={errorOf("officeHours")}
              >
                <Input maxLength={60} {...text("officeHours")} />
              </Field>
              <Field
                label="Business hours"
                hint="A line each, at most 7, such as Mon-Fri: 9-6 EST. Empty: none are shown."
                name="businessHours"
                error={errorOf("businessHours")}
              >
                <Textarea
                  rows={4}
                  value={value.businessHours.join("\n")}
                  onChange={({ target }) => change({ businessHours: target.value ? target.value.split("\n") : [] })}
                />
              </Field>
            </Part>
            <Part id="communities" title="Communities">
              <CommunitiesFields value={value} change={change} errorOf={errorOf} />
            </Part>
            <Part id="mails" title="Mails, receipts and refunds">
              <Field
                label="Sender of mails"
                hint={
                  configured.senderName
                    ? `Empty: ${configured.senderName}, as the server is configured.`
                    : "Empty: the name."
                }
                name="senderName"
                error={errorOf("senderName")}
              >
                <Input maxLength={60} {...text("senderName")} />
              </Field>
              <Field label="Seller" hint="Empty: the name." name="sellerName" error={errorOf("sellerName")}>
                <Input maxLength={120} {...text("sellerName")} />
              </Field>
              <Field
                label="Seller’s address"
                hint="In lines, as on an envelope. Receipts and mails carry it."
                name="sellerAddress"
                error={errorOf("sellerAddress")}
              >
                <Textarea rows={4} maxLength={300} {...text("sellerAddress")} />
              </Field>
              <Field
                label="Refund window in days"
                hint="Of a first purchase; pages and mails say it. Who has bought keeps what was promised then."
                name="refundDays"
                error={errorOf("refundDays")}
              >
                <NumberInput
                  min={1}
                  max={90}
                  step={1}
                  value={value.refundDays}
                  onChange={(refundDays) => change({ refundDays })}
                />
              </Field>
              <Field
                label="Tax line"
                hint="On receipts, such as a tax number or what prices include. Empty: none."
                name="taxLine"
                error={errorOf("taxLine")}
              >
                <Input maxLength={160} {...text("taxLine")} />
              </Field>
            </Part>
          </>
        );
      }}
    </Editor>
  );
}

type TextField = Exclude<
  keyof AcademySettings,
  | "businessHours"
  | "refundDays"
  | "brandColor"
  | "accentColor"
  | "logo"
  | "logoAlt"
  | "icon"
  | "communities"
  | "externalSites"
  | "chat"
>;

function save({ version, ...value }: Settings) {
  // Lines may be empty while they are being typed.
  const businessHours = value.businessHours.filter((line) => line.trim());
  return api(draftSettings, { query: { version }, body: { ...value, businessHours } });
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <fieldset id={id} className="grid min-w-0 gap-5 border-line border-t pt-5">
      <legend className="float-left mb-1 w-full font-bold text-heading">{title}</legend>
      {children}
    </fieldset>
  );
}
