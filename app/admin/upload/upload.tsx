import { Link } from "react-router";
import { queryOf } from "#app/api/query.ts";
import { href } from "#contract/addresses.ts";
import { getContent } from "#contract/admin/content.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { AdminPage } from "../admin-page.tsx";
import { useLoaded } from "../loaded.tsx";
import { UploadPanel } from "./form.tsx";
import { UploadedResources } from "./list.tsx";
import { moduleChoicesOf } from "./modules.ts";

export default function UploadPage() {
  return (
    <AdminPage
      title="Resource Management"
      description="The files that students download, for administrators."
      lead="Files for a module or for one of its lessons. Students see every file but download only what their plan includes."
      actions={
        <Link to={href.admin()} className={buttonStyle({ variant: "outline", size: "small" })}>
          Back to Admin Dashboard
        </Link>
      }
    >
      <Content />
    </AdminPage>
  );
}

UploadPage.queries = () => [queryOf(getContent)];

function Content() {
  const { data: content, instead } = useLoaded(queryOf(getContent), "course");
  if (!content) return instead;
  const modules = moduleChoicesOf(content);
  return (
    <div className="grid items-start gap-x-8 gap-y-10 xl:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
      <UploadPanel modules={modules} />
      <UploadedResources modules={modules} />
    </div>
  );
}
