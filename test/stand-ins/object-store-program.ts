import { openObjectStore } from "./object-store.ts";

// The object store as its own process. PORT and DIRECTORY stay the same across restarts.
await openObjectStore({ port: Number(process.env.PORT), directory: process.env.DIRECTORY ?? "" });
