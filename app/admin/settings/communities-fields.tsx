import { Entries } from "#app/editing/entries.tsx";
import { FormField } from "#app/editing/form-field.tsx";
import { type Written, within } from "#app/editing/written.ts";
import type { AcademySettings } from "#contract/academy.ts";
import type { Chat } from "#contract/communities.ts";
import { Checkbox } from "#ui/controls/field.tsx";

const emptyChat: Chat = { title: "", sentence: "", action: "", url: "", channels: [] };

/** The students' chat, their other communities, and the external sites that the course uses. */
export function CommunitiesFields({ form }: { form: Written<AcademySettings> }) {
  return (
    <>
      <Checkbox
        label="The course invites to a chat of the students."
        checked={form.value.chat !== null}
        onChange={({ target }) => form.change({ chat: target.checked ? emptyChat : null })}
      />
      {form.value.chat && <ChatFields chat={within(form, "chat")} />}
      <Sites
        form={form}
        name="communities"
        title="Communities"
        hint="Shown on the contact page, in the course and in the site map."
        what="community"
      />
      <Sites
        form={form}
        name="externalSites"
        title="Sites that the course works with"
        hint="Shown in the site map."
        what="site"
      />
    </>
  );
}

function ChatFields({ chat }: { chat: Written<Chat> }) {
  return (
    <>
      <p className="text-fine text-ink-soft">
        When you publish another chat, the pages no longer show how many members this one has.
      </p>
      <FormField form={chat} name="title" label="Title of the invitation" />
      <FormField form={chat} name="sentence" label="Invitation" rows={3} />
      <FormField form={chat} name="action" label="Words on the button" />
      <FormField form={chat} name="url" label="Address of the chat" />
      <Entries form={chat} name="channels" title="Channels" hint="What students talk about there." what="channel">
        {(channel) => (
          <>
            <FormField form={channel} name="name" label="Name of the channel" />
            <FormField form={channel} name="about" label="About the channel" />
          </>
        )}
      </Entries>
    </>
  );
}

interface SitesProps {
  form: Written<AcademySettings>;
  name: "communities" | "externalSites";
  title: string;
  hint: string;
  what: string;
}

function Sites({ what, ...list }: SitesProps) {
  return (
    <Entries {...list} what={what}>
      {(site) => (
        <>
          <FormField form={site} name="label" label={`Name of the ${what}`} />
          <FormField form={site} name="detail" label={`About the ${what}`} />
          <FormField form={site} name="url" label={`Address of the ${what}`} />
        </>
      )}
    </Entries>
  );
}
