import { Fields } from "#app/editing/fields.tsx";
import { type Written, within } from "#app/editing/written.ts";
import type { AcademySettings } from "#contract/academy.ts";
import type { Chat } from "#contract/communities.ts";
import { Checkbox } from "#ui/controls/field.tsx";
import { chatLabels, siteLabels } from "./labels.ts";

const emptyChat: Chat = { title: "", sentence: "", action: "", url: "", channels: [] };

/** The students' chat, their other communities, and the external sites that the course uses. */
export function CommunitiesFields({ form }: { form: Written<AcademySettings> }) {
  return (
    <>
      <Checkbox
        label="Invite students to a chat"
        checked={form.value.chat !== null}
        onChange={({ target }) => form.change({ chat: target.checked ? emptyChat : null })}
      />
      {form.value.chat && <ChatFields chat={within(form, "chat")} />}
      <Fields form={form} labels={siteLabels} />
    </>
  );
}

function ChatFields({ chat }: { chat: Written<Chat> }) {
  return (
    <>
      <p className="text-fine text-ink-soft">
        When you publish another chat, the pages no longer show how many members this one has.
      </p>
      <Fields form={chat} labels={chatLabels} />
    </>
  );
}
