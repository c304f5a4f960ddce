import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ChangeEvent, type ReactNode, useRef } from "react";
import { api } from "#app/api/api.ts";
import { currentUserQuery } from "#app/identity/current-user.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { profileImageLimit, profileImageTooLarge, removeProfileImage, uploadProfileImage } from "#contract/profile.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Button } from "#ui/controls/button.tsx";
import { toast } from "#ui/toast/toast.ts";

interface ProfilePictureProps {
  user: CurrentUser;
  /** The source of the initials that are shown without a picture. */
  name: string;
  /** Shown beside the picture. */
  children: ReactNode;
}

/** The user's picture, with buttons to change and remove it. */
export function ProfilePicture({ user, name, children }: ProfilePictureProps) {
  const input = useRef<HTMLInputElement>(null);
  const { upload, remove } = usePicture();

  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const [image] = target.files ?? [];
    // Allows choosing the same file again.
    target.value = "";
    if (!image) return;
    if (image.size >= profileImageLimit) toast({ title: profileImageTooLarge, destructive: true });
    else upload.mutate(image);
  }

  return (
    <div className="flex min-w-0 grow basis-72 flex-wrap items-center gap-x-5 gap-y-4">
      <Avatar name={name} imageUrl={user.profileImageUrl} className="size-20 text-title sm:size-24" />
      {/* Some systems do not know that HEIC is an image. */}
      <input ref={input} type="file" accept="image/*,.heic,.heif" hidden aria-label="Profile image" onChange={choose} />
      <div className="min-w-0 grow basis-48">
        {children}
        <div className="mt-2 -ml-3.5 flex flex-wrap">
          <Button
            size="small"
            variant="quiet"
            pending={upload.isPending}
            disabled={remove.isPending}
            onClick={() => input.current?.click()}
          >
            {user.profileImageUrl ? "Change picture" : "Add picture"}
          </Button>
          {user.profileImageUrl && (
            <Button
              size="small"
              variant="quiet"
              pending={remove.isPending}
              disabled={upload.isPending}
              onClick={() => remove.mutate()}
            >
              Remove picture
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

function usePicture() {
  const queryClient = useQueryClient();
  const show = (profileImageUrl: string | null) =>
    queryClient.setQueryData(currentUserQuery.queryKey, (user) => user && { ...user, profileImageUrl });
  const upload = useMutation({
    mutationFn: (image: File) => {
      const form = new FormData();
      form.set("profileImage", image);
      return api(uploadProfileImage, { form });
    },
    onSuccess: ({ profileImageUrl }) => {
      show(profileImageUrl);
      toast({ title: "Profile image updated successfully" });
    },
    onError: (error) =>
      toastFailure("Failed to upload image", error, "Try again in a moment.", ["message", "error", "details", "text"]),
  });
  const remove = useMutation({
    mutationFn: () => api(removeProfileImage),
    onSuccess: () => {
      show(null);
      toast({ title: "Profile image removed" });
    },
    onError: (error) => toastFailure("Failed to remove image", error, "Try again in a moment."),
  });
  return { upload, remove };
}
