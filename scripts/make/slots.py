"""Makes server/coaching/slots.fixture.json: the sessions of fixed hours around every clock change of two years, by Python's
zoneinfo, which shares nothing with the server's engine but the rules of the zones. Run: python3 scripts/make/slots.py"""

import json
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

ZONES = [
    "Africa/Cairo",
    "America/New_York",
    "America/Santiago",
    "America/St_Johns",
    "Antarctica/Troll",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Europe/Berlin",
    "Europe/Dublin",
    "Pacific/Auckland",
    "Pacific/Chatham",
    "UTC",
]
HOURS = [("00:00", "05:30"), ("13:00", "18:00"), ("22:15", "24:00")]
MINUTES = 30
UTC = timezone.utc


def offset(zone, instant):
    return instant.astimezone(zone).utcoffset()


def changes(zone):
    """The days, in the zone, of each change of its offset."""
    at, end = datetime(2027, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC)
    while at < end:
        later = at + timedelta(hours=1)
        if offset(zone, at) != offset(zone, later):
            yield later.astimezone(zone).date()
        at = later


def instant(zone, day, clock):
    """A clock that a change skips is read with the offset of before it, one that comes twice the first time."""
    hour, minute = map(int, clock.split(":"))
    local = datetime(day.year, day.month, day.day) + timedelta(hours=hour, minutes=minute)
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)


def sessions(zone, day):
    step = timedelta(minutes=MINUTES)
    for start, end in HOURS:
        at, last = instant(zone, day, start), instant(zone, day, end)
        while at + step <= last:
            yield at
            at += step


cases = []
for name in ZONES:
    zone = ZoneInfo(name)
    days = {date(2027, 6, 15)}
    for day in changes(zone):
        days.update(day + timedelta(days=shift) for shift in (-1, 0, 1))
    for day in sorted(days):
        minutes = [int(at.timestamp()) // 60 for at in sessions(zone, day)]
        first = minutes[0]
        steps = [later - earlier for earlier, later in zip(minutes, minutes[1:])]
        cases.append({"zone": name, "date": day.isoformat(), "first": first, "steps": steps})

target = Path(__file__).parents[2] / "server" / "coaching" / "slots.fixture.json"
lines = ",\n".join("    " + json.dumps(case, separators=(", ", ": ")) for case in cases)
hours = json.dumps([{"fromTime": start, "toTime": end} for start, end in HOURS])
target.write_text(f'{{\n  "minutes": {MINUTES},\n  "hours": {hours},\n  "days": [\n{lines}\n  ]\n}}\n')
print(f"{target}: {len(cases)} days")
