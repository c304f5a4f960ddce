import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ChangeEvent, useRef } from "react";
import type { CurrentUser } from "#contract/identity.ts";
import { profileImageLimit, profileImageTooLarge, removeProfileImage, uploadProfileImage } from "#contract/profile.ts";
import { api, messageOf } from "../api.ts";
import { currentUserQuery } from "../identity/current-user.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";

/** The person's picture, with what changes it. */
export function ProfilePicture({ user, name }: { user: CurrentUser; name: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { upload, remove } = usePicture();
  const isBusy = upload.isPending || remove.isPending;

  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const [image] = target.files ?? [];
    // So that the same file can be chosen again.
    target.value = "";
    if (!image) return;
    if (image.size >= profileImageLimit) toast({ title: profileImageTooLarge, destructive: true });
    else upload.mutate(image);
  }

  return (
    <div className="grid shrink-0 justify-items-center gap-2">
      <Avatar name={name} imageUrl={user.profileImageUrl} className="size-24 text-title sm:size-28" />
      <input ref={input} type="file" accept="image/*" hidden aria-label="Profile image" onChange={choose} />
      <div className="flex gap-1">
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
            aria-label="Remove picture"
            pending={remove.isPending}
            disabled={isBusy && !remove.isPending}
            onClick={() => remove.mutate()}
          >
            Remove
          </Button>
        )}
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
    onError: (error) => fail("Failed to upload image", error),
  });
  const remove = useMutation({
    mutationFn: () => api(removeProfileImage),
    onSuccess: () => {
      show(null);
      toast({ title: "Profile image removed" });
    },
    onError: (error) => fail("Failed to remove image", error),
  });
  return { upload, remove };
}

function fail(title: string, error: Error): void {
  toast({ title, description: messageOf(error, "Try again in a moment."), destructive: true });
}
