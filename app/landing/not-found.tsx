import { PageLink } from "../navigation/navigation.tsx";
import { href } from "../routes.ts";
import { SitePage } from "../site/page.tsx";
import { buttonStyle } from "../ui/controls/button.tsx";
import { EmptyShelf } from "./pictures/empty-shelf.tsx";

export default function NotFound() {
  return (
    <SitePage title="404 Page Not Found" description="There is no page at this address." className="pt-28 sm:pt-36">
      <div className="shelf-grid items-end gap-y-10">
        <div className="col-span-full md:col-span-7">
          <h1 className="wide text-display">404 Page Not Found</h1>
          <p className="mt-5 max-w-[40ch] text-lead">
            Somebody moved it, sold it, or it was never on this shelf. The address is worth a second look.
          </p>
        </div>
        <div className="col-span-full pb-3 lg:col-span-5 lg:justify-self-end">
          <PageLink to={href.home()} className={buttonStyle({ size: "large", variant: "tag" })}>
            Back to the front of the store
          </PageLink>
        </div>
      </div>
      <EmptyShelf className="mt-10 block w-full" />
    </SitePage>
  );
}
