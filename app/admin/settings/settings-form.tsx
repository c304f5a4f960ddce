import type { ReactNode } from "react";
import { api } from "#app/api/api.ts";
import { zoneOptions } from "#app/coaching/zone-options.ts";
import { FormField } from "#app/editing/form-field.tsx";
import type { Versioned } from "#app/editing/use-form-of.ts";
import { AcademySettings } from "#contract/academy.ts";
import { draftSettings } from "#contract/admin/content.ts";
import { Editor } from "../content/editor.tsx";
import { CommunitiesFields } from "./communities-fields.tsx";
import { settingsLabels } from "./labels.ts";
import { LookFields } from "./look-fields.tsx";

interface SettingsFormProps {
  saved: Versioned<AcademySettings>;
  /** The values of the server's environment variables, which apply where a setting is empty. */
  configured: { supportEmail: string; senderName: string | null };
}

export function SettingsForm({ saved, configured }: SettingsFormProps) {
  return (
    <Editor
      title="The academy"
      schema={AcademySettings}
      name="settings"
      labels={settingsLabels}
      saved={saved}
      save={(body, version) => api(draftSettings, { query: { version }, body })}
    >
      {(form) => (
        <>
          <FormField
            form={form}
            name="name"
            label={settingsLabels.name}
            hint="On every page, email and receipt, and in searches."
          />
          <FormField
            form={form}
            name="timeZone"
            label={settingsLabels.timeZone}
            hint="Used for dates on receipts, in exports, and in emails to people whose own time zone we don’t know."
            options={zoneOptions(form.value.timeZone)}
          />
          <Part id="look" title="Look">
            <LookFields form={form} />
          </Part>
          <Part id="support" title="Support">
            <FormField
              form={form}
              name="supportEmail"
              label={settingsLabels.supportEmail}
              hint={`Leave empty to use ${configured.supportEmail}, which the server is configured with.`}
            />
            <FormField
              form={form}
              name="phone"
              label={settingsLabels.phone}
              hint="Leave empty to show none."
              type="tel"
            />
            <FormField
              form={form}
              name="officeHours"
              label={settingsLabels.officeHours}
              hint="Leave empty to show none."
            />
            <FormField
              form={form}
              name="businessHours"
              label={settingsLabels.businessHours}
              hint="For example, Sun: Closed. Leave empty to show none."
            />
          </Part>
          <Part id="communities" title="Communities">
            <CommunitiesFields form={form} />
          </Part>
          <Part id="certificates" title="Certificates">
            <FormField
              form={form}
              name="certificateModules"
              label={settingsLabels.certificateModules}
              hint="Students need all lessons and checks of the modules up to this one. Certificates that you’ve already issued don’t change."
            />
          </Part>
          <Part id="mails" title="Emails, receipts and refunds">
            <FormField
              form={form}
              name="senderName"
              label={settingsLabels.senderName}
              hint={`Leave empty to use ${configured.senderName ? `${configured.senderName}, which the server is configured with` : "the name"}.`}
            />
            <FormField
              form={form}
              name="sellerName"
              label={settingsLabels.sellerName}
              hint="Leave empty to use the name."
            />
            <FormField
              form={form}
              name="sellerAddress"
              label={settingsLabels.sellerAddress}
              hint="In lines, as on an envelope. Shown on receipts and in emails."
              rows={4}
            />
            <FormField
              form={form}
              name="refundDays"
              label={settingsLabels.refundDays}
              hint="For a first purchase. Pages and emails state it. Earlier buyers keep the window that they were promised."
            />
            <FormField
              form={form}
              name="taxLine"
              label={settingsLabels.taxLine}
              hint="Shown on receipts, such as a tax number or what prices include. Leave empty for none."
            />
            <FormField
              form={form}
              name="receiptPrefix"
              label={settingsLabels.receiptPrefix}
              hint="Such as ACME for ACME-2027-0042. Earlier receipts keep their number. Leave empty for none."
            />
            <FormField
              form={form}
              name="questionDigestHour"
              {...settingsLabels.questionDigestHour}
              hint="Goes to everyone who may answer them, in the academy's time zone. We don't send it when none is open."
            />
          </Part>
        </>
      )}
    </Editor>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <fieldset id={id} className="grid min-w-0 gap-5 border-line border-t pt-5">
      <legend className="float-left mb-1 w-full font-bold text-heading">{title}</legend>
      {children}
    </fieldset>
  );
}
