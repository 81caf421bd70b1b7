#!/usr/bin/env bash
# Requests per second of server CPU, gateway beside ceiling, and GraphQL beside REST, as rows of Markdown tables.
#
# The gateway is the release binary with everything on: a real key, its plan and allowance in SQLite, the edge and all its headers.
# The ceiling (`ceiling.rs`) is an axum server without layers that answers as many constant bytes. Each server has one worker thread
# on the first core, `wrk` has the second, and short runs of both take turns, so that a busy machine slows both. What counts is the
# processor time the kernel charged to the server, not the time on the clock.
#
# A second table has the ceiling's own handlers for callers with a key beside the same without one: what it costs to let a caller in. A
# third has how long a modest stream of good requests waits, alone and beside 2,000 requests a second with made-up keys.
#
#   benches/load.sh              after `cargo build --release --bin catalogue --example ceiling`
#   RUNS=9 SECONDS_EACH=5 GRANTS=1000000 benches/load.sh
set -euo pipefail

RUNS=${RUNS:-7}
SECONDS_EACH=${SECONDS_EACH:-3}
GRANTS=${GRANTS:-200000}
CONNECTIONS=${CONNECTIONS:-32}
TARGET=${CARGO_TARGET_DIR:-target}/release

cd "$(dirname "$0")/.."
if ! command -v wrk >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get install -y wrk >/dev/null
    else
        echo "load.sh needs the load generator wrk: apt-get install wrk, or brew install wrk" >&2
        exit 1
    fi
fi
if [ "$(nproc)" -lt 2 ]; then
    echo "load.sh needs two cores: one for the server, one for wrk" >&2
    exit 1
fi

folder=$(mktemp -d)
servers=()
# BBR paces a loopback connection, now more and now less, and charges its timers to whoever sends: pages then cost up to a third more on
# both sides, and the ratio moves with it. Linux's default does not.
control=/proc/sys/net/ipv4/tcp_congestion_control
pacing=$(cat $control)
if [ "$pacing" = bbr ] && ! echo cubic >$control; then
    echo "load.sh: this machine's connections are paced (BBR); the pages' ratios are not to be trusted" >&2
fi
end() {
    [ "$(cat $control)" = "$pacing" ] || echo "$pacing" >$control
    for server in "${servers[@]}"; do kill "$server" 2>/dev/null || true; done
    wait
    rm -rf "$folder"
}
trap end EXIT

catalogue() { "$TARGET/catalogue" --data-dir "$folder/data" "$@"; }
catalogue generate "$folder/export" --grants "$GRANTS" --recipients 0 --awards 0 >&2
catalogue reindex "$folder/export" >&2
rm -rf "$folder/export"
# What was written goes to the disk now, and not while something is measured.
sync
sleep 5
catalogue plan set full --api
echo "a password of the bench" | catalogue account add bench@example.org --plan full --password-stdin
key=$(catalogue key create bench@example.org load)
echo "a password of the bench" | catalogue account add analyst@example.org --plan free --role analyst --password-stdin
analyst=$(catalogue key create analyst@example.org load)

gateway=127.0.0.1:28180
internal=127.0.0.1:28181
ceiling=127.0.0.1:28182

wait_for() {
    for _ in $(seq 200); do
        if curl -sf -o "$folder/ready" "$1"; then return; fi
        sleep 0.05
    done
    echo "nothing answers at $1" >&2
    exit 1
}

taskset -c 0 "$TARGET/catalogue" --data-dir "$folder/data" serve --listen $gateway --internal-listen $internal \
    --daily-limit 4000000000 2>"$folder/log" &
gateway_pid=$!
servers+=("$gateway_pid")
wait_for http://$internal/readyz

authorization="Authorization: Bearer $key"
fetch() { curl -s "$@"; }
page=/api/v1/grants?state=CA
slug=$(fetch -H "$authorization" "http://$gateway$page" | head -c 400 | sed 's/.*{"data":\[{"slug":"\([^"]*\)".*/\1/')
record=/api/v1/grants/$slug
size_of() { fetch -o "$folder/body" -w '%{size_download}' "$@"; }
page_bytes=$(size_of -H "$authorization" "http://$gateway$page")
record_bytes=$(size_of -H "$authorization" "http://$gateway$record")
refusal_bytes=$(size_of "http://$gateway$page")
[ "$(fetch -o "$folder/body" -w '%{http_code}' -H "$authorization" "http://$gateway$record")" = 200 ]
[ "$(fetch -o "$folder/body" -w '%{http_code}' "http://$gateway$page")" = 401 ]

# A page of 20 grants with 12 fields, asked as dashboards ask: the same query again and again.
cat >"$folder/query.json" <<'QUERY'
{"query":"query Page($first: Int) { grants(first: $first) { nodes { slug title summary status eligStates industries amountMin amountMax matchRequired deadline sourceUrl updatedAt } } }","variables":{"first":20}}
QUERY
cat >"$folder/query.lua" <<'LUA'
wrk.method = "POST"
wrk.body = io.open(os.getenv("QUERY"), "rb"):read("*a")
wrk.headers["content-type"] = "application/json"
LUA
export QUERY=$folder/query.json
ask() { fetch -H 'content-type: application/json' --data-binary @"$QUERY" "$@"; }
query_bytes=$(ask -H "Authorization: Bearer $analyst" -o "$folder/body" -w '%{size_download}' "http://$internal/graphql")
grep -q '"slug"' "$folder/body"

taskset -c 0 "$TARGET/examples/ceiling" $ceiling "store=$folder/data/accounts.sqlite" \
    "page=$page_bytes" "record=$record_bytes" "refusal=$refusal_bytes" &
ceiling_pid=$!
servers+=("$ceiling_pid")
wait_for http://$ceiling/page
ask -o "$folder/body" "http://$ceiling/graphql"
grep -q '"slug"' "$folder/body"

# Processor time of a process in ticks: fields 14 and 15 of its stat, counted behind the name, which may hold spaces.
ticks_of() { sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'; }
ticks_per_second=$(getconf CLK_TCK)

# Requests per second of processor time of process $1, for $2 seconds of the wrk arguments that follow.
drive() {
    local pid=$1 seconds=$2 before after requests
    shift 2
    before=$(ticks_of "$pid")
    requests=$(taskset -c 1 wrk -t1 -c "$CONNECTIONS" -d "${seconds}s" "$@" | awk '/requests in/ { print $1 }')
    after=$(ticks_of "$pid")
    awk -v requests="$requests" -v ticks=$((after - before)) -v hertz="$ticks_per_second" \
        'BEGIN { printf "%.0f\n", requests * hertz / ticks }'
}

median() { sort -g | awk '{ values[NR] = $1 } END { print values[int((NR + 1) / 2)] }'; }

# One row of a table: $1 what is asked, $2 its bytes, $3 the target, $4 the server asked, $5 the ceiling's route, then wrk's arguments.
measure() {
    local name=$1 bytes=$2 target=$3 server=$4 route=$5 ours theirs ratio
    shift 5
    : >"$folder/ours" && : >"$folder/theirs" && : >"$folder/ratios"
    drive "$server" 1 "$@" >"$folder/warm"
    drive "$ceiling_pid" 1 "http://$ceiling/$route" >"$folder/warm"
    for _ in $(seq "$RUNS"); do
        ours=$(drive "$server" "$SECONDS_EACH" "$@")
        theirs=$(drive "$ceiling_pid" "$SECONDS_EACH" "http://$ceiling/$route")
        echo "$ours" >>"$folder/ours"
        echo "$theirs" >>"$folder/theirs"
        awk -v ours="$ours" -v theirs="$theirs" 'BEGIN { printf "%.3f\n", ours / theirs }' >>"$folder/ratios"
    done
    ours=$(median <"$folder/ours")
    theirs=$(median <"$folder/theirs")
    ratio=$(median <"$folder/ratios")
    echo "| $name ($bytes bytes) | $ours/s | $theirs/s | **$ratio** ($(sort -g "$folder/ratios" | sed -n '1p;$p' | paste -sd' ' | sed 's/ / to /')) | $target |"
}

echo "| requests per second of server CPU | gateway | ceiling | ratio | target |"
echo "|---|--:|--:|--:|--:|"
measure "page of 20 with \`state\`" "$page_bytes" "0.60" "$gateway_pid" page -H "$authorization" "http://$gateway$page"
measure "single record" "$record_bytes" "0.60" "$gateway_pid" record -H "$authorization" "http://$gateway$record"
measure "401, no key" "$refusal_bytes" "0.70" "$gateway_pid" refusal "http://$gateway$page"

echo
echo "| requests per second of server CPU | with a key | the same handler without | ratio | target |"
echo "|---|--:|--:|--:|--:|"
for of in page record; do
    bytes=${of}_bytes
    measure "constant $of" "${!bytes}" "0.85" "$ceiling_pid" "$of" -H "$authorization" "http://$ceiling/keyed/$of"
done

# The same page three ways, taking turns: REST's, GraphQL's, and a bare resolver's.
whole="/api/v1/grants?limit=20"
whole_bytes=$(size_of -H "$authorization" "http://$gateway$whole")
by_rest() { drive "$gateway_pid" "$1" -H "$authorization" "http://$gateway$whole"; }
by_graphql() { drive "$gateway_pid" "$1" -s "$folder/query.lua" -H "Authorization: Bearer $analyst" "http://$internal/graphql"; }
by_bare() { drive "$ceiling_pid" "$1" -s "$folder/query.lua" "http://$ceiling/graphql"; }
for name in rest graphql bare of_rest of_bare; do : >"$folder/$name"; done
by_rest 1 >"$folder/warm" && by_graphql 1 >"$folder/warm" && by_bare 1 >"$folder/warm"
for _ in $(seq "$RUNS"); do
    rest=$(by_rest "$SECONDS_EACH")
    graphql=$(by_graphql "$SECONDS_EACH")
    bare=$(by_bare "$SECONDS_EACH")
    echo "$rest" >>"$folder/rest" && echo "$graphql" >>"$folder/graphql" && echo "$bare" >>"$folder/bare"
    awk -v graphql="$graphql" -v rest="$rest" 'BEGIN { printf "%.3f\n", graphql / rest }' >>"$folder/of_rest"
    awk -v graphql="$graphql" -v bare="$bare" 'BEGIN { printf "%.2f\n", graphql / bare }' >>"$folder/of_bare"
done
spread() { sort -g "$1" | sed -n '1p;$p' | paste -sd' ' | sed 's/ / to /'; }
echo
echo "| requests per second of server CPU | GraphQL | REST | bare async-graphql | GraphQL of REST | target | GraphQL of bare |"
echo "|---|--:|--:|--:|--:|--:|--:|"
echo "| page of 20 (GraphQL: 12 fields, $query_bytes bytes; REST: all, $whole_bytes bytes) | $(median <"$folder/graphql")/s | $(median <"$folder/rest")/s | $(median <"$folder/bare")/s | **$(median <"$folder/of_rest")** ($(spread "$folder/of_rest")) | 0.167 | **$(median <"$folder/of_bare")** ($(spread "$folder/of_bare")) |"

# Latencies of good requests in microseconds: the median and the 99th of 100, of the records that 4 connections ask for every 10 ms.
cat >"$folder/good.lua" <<'LUA'
function delay() return 10 end
function done(summary, latency)
    io.write(string.format("latency %d %d %d\n", latency:percentile(50), latency:percentile(99), summary.errors.status))
end
LUA
# 20 connections that present a made-up key each every 10 ms: keys of another store (right in form and checksum), and noise.
cat >"$folder/junk.lua" <<'LUA'
local keys = {}
function init(arguments) keys = arguments; math.randomseed(os.time()) end
function delay() return 10 end
function request()
    local key = keys[math.random(#keys)]
    if math.random(2) == 1 then key = key:sub(1, -6) .. math.random(10000, 99999) end
    return wrk.format("GET", nil, { Authorization = "Bearer " .. key })
end
LUA
elsewhere() { "$TARGET/catalogue" --data-dir "$folder/elsewhere" "$@"; }
echo "a password of the bench" | elsewhere account add bench@example.org --plan api --password-stdin
made_up=()
for name in one two three; do made_up+=("$(elsewhere key create bench@example.org $name)"); done
good() {
    taskset -c 1 wrk -t1 -c4 -d5s -s "$folder/good.lua" -H "$authorization" "http://$gateway$record" | grep '^latency' >"$folder/good"
}
for turn in 1 2 3 4 5; do
    good && cat "$folder/good" >>"$folder/alone"
    taskset -c 1 wrk -t1 -c20 -d7s -s "$folder/junk.lua" "http://$gateway$page" -- "${made_up[@]}" >"$folder/junk" &
    junk=$!
    sleep 1
    good && cat "$folder/good" >>"$folder/beside"
    wait "$junk"
    awk '/Requests\/sec/ { print $2 }' "$folder/junk" >>"$folder/junk_rates"
done
latency() { awk -v field="$2" '{ print $field }' "$folder/$1" | median; }
echo
echo "| latency of good requests | alone | beside $(median <"$folder/junk_rates") requests a second with made-up keys |"
echo "|---|--:|--:|"
echo "| median | $(latency alone 2) µs | $(latency beside 2) µs |"
echo "| 99th of 100 | $(latency alone 3) µs | $(latency beside 3) µs |"
