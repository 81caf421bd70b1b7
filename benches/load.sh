#!/usr/bin/env bash
# Requests per second of server CPU, gateway beside ceiling, as rows of a Markdown table.
#
# The gateway is the release binary with everything on: a real key, its plan and allowance in SQLite, the edge and all its headers.
# The ceiling (`ceiling.rs`) is an axum server without layers that answers as many constant bytes. Each server has one worker thread
# on the first core, `wrk` has the second, and short runs of both take turns, so that a busy machine slows both. What counts is the
# processor time the kernel charged to the server, not the time on the clock.
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
end() {
    for server in "${servers[@]}"; do kill "$server" 2>/dev/null || true; done
    wait
    rm -rf "$folder"
}
trap end EXIT

catalogue() { "$TARGET/catalogue" --data-dir "$folder/data" "$@"; }
catalogue generate "$folder/export" --grants "$GRANTS" --recipients 0 --awards 0 >&2
catalogue reindex "$folder/export" >&2
rm -rf "$folder/export"
catalogue plan set full --api
echo "a password of the bench" | catalogue account add bench@example.org --plan full --password-stdin
key=$(catalogue key create bench@example.org load)

gateway=127.0.0.1:18080
internal=127.0.0.1:18081
ceiling=127.0.0.1:18082

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

taskset -c 0 "$TARGET/examples/ceiling" $ceiling "page=$page_bytes" "record=$record_bytes" "refusal=$refusal_bytes" &
ceiling_pid=$!
servers+=("$ceiling_pid")
wait_for http://$ceiling/page

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

# One row of the table: $1 what is asked, $2 its bytes, $3 the target, $4 the ceiling's route, then wrk's arguments for the gateway.
measure() {
    local name=$1 bytes=$2 target=$3 route=$4 ours theirs ratio
    shift 4
    : >"$folder/ours" && : >"$folder/theirs" && : >"$folder/ratios"
    drive "$gateway_pid" 1 "$@" >"$folder/warm"
    drive "$ceiling_pid" 1 "http://$ceiling/$route" >"$folder/warm"
    for _ in $(seq "$RUNS"); do
        ours=$(drive "$gateway_pid" "$SECONDS_EACH" "$@")
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
measure "page of 20 with \`state\`" "$page_bytes" "0.60" page -H "$authorization" "http://$gateway$page"
measure "single record" "$record_bytes" "0.60" record -H "$authorization" "http://$gateway$record"
measure "401, no key" "$refusal_bytes" "0.70" refusal "http://$gateway$page"
