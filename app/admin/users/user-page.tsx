import { useQuery } from "@tanstack/react-query";
import { Link, type Params, useLocation, useParams } from "react-router";
import { ApiError } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { May } from "#app/identity/may.tsx";
import { getUserDetail, type UserDetail } from "#contract/admin/users.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { AdminPage } from "../admin-page.tsx";
import { nameOf } from "../words.tsx";
import { AccessPanel } from "./access-panel.tsx";
import { AuditPanel } from "./audit-panel.tsx";
import { listBefore } from "./came-from.ts";
import { CertificatePanel } from "./certificate-panel.tsx";
import { CoachingPanel } from "./coaching-panel.tsx";
import { CorrespondencePanel } from "./correspondence-panel.tsx";
import { LearningPanel } from "./learning-panel.tsx";
import { MoneyPanel } from "./money-panel.tsx";
import { EmailsPanel, ProfilePanel } from "./person-panels.tsx";
import { UserHead } from "./user-head.tsx";

export default function UserPage() {
  const { id: userId = "" } = useParams();
  // Reads only the cache. `Person` fetches, once the user is known to be on the team.
  const { data } = useQuery({ ...queryOf(getUserDetail, { params: { userId } }), enabled: false });
  return (
    <AdminPage
      title={data ? nameOf(data.user) : "User"}
      description="One user's profile, access, purchases and progress, for administrators."
      actions={
        <Link {...listBefore(useLocation().state)} className={buttonStyle({ variant: "outline" })}>
          All users
        </Link>
      }
    >
      <Person key={userId} userId={userId} />
    </AdminPage>
  );
}

UserPage.queries = ({ id = "" }: Params) => [queryOf(getUserDetail, { params: { userId: id } })];

function Person({ userId }: { userId: string }) {
  const { data, isPending, error, refetch } = useQuery(queryOf(getUserDetail, { params: { userId } }));
  if (data) return <Detail detail={data} />;
  if (isPending) return <PartLoading what="user" />;
  // The server refuses ids that no user could have with 400.
  const isNobody = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return isNobody ? <NoSuchUser /> : <PartFailed what="the user" retry={refetch} />;
}

function NoSuchUser() {
  return (
    <StateCard title="We couldn't find this user">
      <p>The account may have been deleted.</p>
    </StateCard>
  );
}

function Detail({ detail }: { detail: UserDetail }) {
  const { user } = detail;
  return (
    <div className="grid gap-5">
      <UserHead detail={detail} />
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <ProfilePanel detail={detail} />
        <AccessPanel detail={detail} />
      </div>
      <MoneyPanel detail={detail} />
      <CoachingPanel user={user} />
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <LearningPanel detail={detail} />
        <div className="grid gap-5">
          <CertificatePanel detail={detail} />
          <EmailsPanel detail={detail} />
        </div>
      </div>
      <CorrespondencePanel user={user} />
      <May permission="audit:read">
        <AuditPanel userId={user.id} />
      </May>
    </div>
  );
}
