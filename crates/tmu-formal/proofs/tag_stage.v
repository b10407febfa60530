// The tags of the streaming cache, at their real size.
//
// In each bank one set is watched, chosen freely. The RAMs stand in for the emitted ones: they keep what belongs to that set
// and answer anything for the others. The replacement answers anything, so that the properties hold whichever way is chosen.
module ram_simple_dual_port_64x30 (
    input wire clk,
    input wire write_enable,
    input wire [5:0] write_address,
    input wire [29:0] write_data,
    input wire read_enable,
    input wire [5:0] read_address,
    input wire output_enable,
    output wire [29:0] read_data
);
    (* anyconst *) reg [5:0] watched;
    (* anyseq *) reg [29:0] elsewhere;
    reg [29:0] word;
    reg [29:0] read_latch;
    reg [29:0] read_output;
    always @(posedge clk) begin
        if (write_enable && write_address == watched) word <= write_data;
        if (read_enable) read_latch <= read_address == watched ? word : elsewhere;
        if (output_enable) read_output <= read_latch;
    end
    assign read_data = read_output;
endmodule

module ram_simple_dual_port_64x14 (
    input wire clk,
    input wire write_enable,
    input wire [5:0] write_address,
    input wire [13:0] write_data,
    input wire read_enable,
    input wire [5:0] read_address,
    input wire output_enable,
    output wire [13:0] read_data
);
    (* anyconst *) reg [5:0] watched;
    (* anyseq *) reg [13:0] elsewhere;
    reg [13:0] word;
    reg [13:0] read_latch;
    reg [13:0] read_output;
    always @(posedge clk) begin
        if (write_enable && write_address == watched) word <= write_data;
        if (read_enable) read_latch <= read_address == watched ? word : elsewhere;
        if (output_enable) read_output <= read_latch;
    end
    assign read_data = read_output;
endmodule

module victim (
    input wire clk,
    input wire [5:0] read_set,
    input wire [1:0] valids,
    output wire way,
    input wire [5:0] write_set,
    input wire clear,
    input wire hit,
    input wire fill,
    input wire used_way
);
    (* anyseq *) reg anything;
    assign way = anything;
endmodule

// One bank. Of the watched set it keeps for each way which tile was last given the place, and since when.
module watched_bank (
    input wire clk,
    input wire rst,
    // An item goes, and what it wants of the bank.
    input wire accepted,
    input wire used,
    input wire repeats,
    input wire [28:0] key,
    input wire [5:0] set,
    // The cache is emptied.
    input wire invalidates,
    input wire invalidate_pending,
    input wire clearing,
    input wire [5:0] clear_set,
    // What has become of the item of four clocks before.
    input wire decides,
    input wire missed,
    input wire [28:0] miss_key,
    input wire way,
    input wire [5:0] place_set,
    input wire [13:0] user,
    input wire [13:0] number,
    // The memories.
    input wire [5:0] tags_0_watched,
    input wire [5:0] tags_1_watched,
    input wire [5:0] users_watched,
    input wire [29:0] tag_0,
    input wire [29:0] tag_1,
    input wire [13:0] users_word,
    input wire last_way,
    output wire hit,
    output wire hit_of_repeat
);
    (* anyconst *) reg [5:0] watched;
    always @* assume (tags_0_watched == watched && tags_1_watched == watched && users_watched == watched);

`ifdef SHORTENED
    // Sweeps begin at the last sets then.
    always @* assume (watched >= 6'd60);
`endif

    // How `address` marks it.
    wire [4:1] used_at;
    wire [23:0] sets;
    wire has_last;
    wire [28:0] last_key;
    wire [5:0] last_set;
    item_marks #(.KEY(29), .SET(6)) marks (
        .clk(clk), .rst(rst), .accepted(accepted && used), .same_tile(repeats), .key(key), .set(set),
        .used_before(used_at), .sets_before(sets), .has_last(has_last), .last_key(last_key), .last_set(last_set)
    );

    // The items under way, as they came.
    reg [4:1] repeats_at, old_at;
    reg [115:0] keys;
    always @(posedge clk) begin
        repeats_at <= {repeats_at[3:1], repeats};
        keys <= {keys[86:0], key};
        // Those that had gone when the cache was to be emptied.
        old_at <= {old_at[3:1], 1'b0} | {4{invalidates}};
    end
    wire [28:0] own_key = keys[115:87];
    wire [5:0] own_set = sets[23:18];
    wire looks_here = used_at[4] && own_set == watched;

    // Who has the places of the watched set, since the last reset.
    reg [1:0] given = 2'd0;
    reg [1:0] given_before_drop = 2'd0;
    reg [28:0] holder_0, holder_1;
    wire [28:0] holder = way ? holder_1 : holder_0;
    // The last item that looked into the set.
    reg [13:0] last_user;
    reg swept = 1'b0;
    always @(posedge clk) begin
        if (rst) begin
            given <= 2'd0;
            swept <= 1'b0;
        end else begin
            if (looks_here && missed) given[way] <= 1'b1;
            if (clearing && clear_set == watched) swept <= 1'b1;
        end
        if (looks_here && missed && !way) holder_0 <= own_key;
        if (looks_here && missed && way) holder_1 <= own_key;
        if (looks_here && missed) given_before_drop[way] <= old_at[4] || invalidates;
        else if (invalidates) given_before_drop <= 2'd3;
        if (looks_here || (clearing && clear_set == watched)) last_user <= number;
    end
    always @* if (used_at[4]) begin
        of_a_item: assert (decides);
        right_set: assert (place_set == own_set);
        right_tile: assert (miss_key == own_key);
    end
    always @* if (looks_here) begin
        holds_the_tile: assert (missed || (given[way] && holder == own_key));
        emptied: assert (missed || repeats_at[4] || old_at[4] || !given_before_drop[way]);
        repeat_hits: assert (!missed || !repeats_at[4]);
        last_user_told: assert (!missed || user == last_user);
    end
    always @* only_what_is_wanted: assert (!missed || used_at[4]);
    assign hit = looks_here && !missed && !repeats_at[4];
    assign hit_of_repeat = looks_here && !missed && repeats_at[4];

    // No two ways hold a tile, and a tag is that of the place's holder.
    wire same = tag_0[29] && tag_1[29] && tag_0[28:0] == tag_1[28:0];
    always @* if (swept) begin
        one_way: assert (!same);
        tag_of_holder: assert ((!tag_0[29] || (given[0] && tag_0[28:0] == holder_0))
            && (!tag_1[29] || (given[1] && tag_1[28:0] == holder_1)));
        user_kept: assert (users_word == last_user);
    end

    // For the induction: what the last item that has been looked up left behind.
    reg has_decided = 1'b0;
    reg decided_here;
    reg [28:0] decided_key;
    reg [5:0] decided_set;
    reg decided_way;
    always @(posedge clk)
        if (rst) has_decided <= 1'b0;
        else if (used_at[4]) begin
            has_decided <= 1'b1;
            decided_key <= own_key;
            decided_set <= own_set;
            decided_way <= way;
        end
    wire [34:0] decided = {decided_set, decided_key};
    wire [34:0] youngest = used_at[1] ? {sets[5:0], keys[28:0]} : used_at[2] ? {sets[11:6], keys[57:29]}
        : used_at[3] ? {sets[17:12], keys[86:58]} : used_at[4] ? {sets[23:18], keys[115:87]} : decided;
    always @* begin
        last_is_known: assert (has_last == (has_decided || used_at != 4'd0)
            && (!has_last || {last_set, last_key} == youngest));
        last_has_place: assert (!(has_decided && decided_set == watched)
            || (decided_way ? given[1] && holder_1 == decided_key : given[0] && holder_0 == decided_key));
        way_is_last: assert (!has_decided || used_at[4] || last_way == decided_way);
        swept_first: assert (swept || (invalidate_pending && clear_set <= watched));
        old_are_before_sweep: assert ((old_at & used_at) == 4'd0 || (invalidate_pending && !clearing && clear_set <= watched));
        empty_behind_sweep: assert (!(clearing && clear_set > watched) || !(tag_0[29] || tag_1[29]));
        sweeps_what_is_old: assert ((!(tag_0[29] && given_before_drop[0]) && !(tag_1[29] && given_before_drop[1]))
            || (invalidate_pending && clear_set <= watched) || !swept);
    end
endmodule

module proof (
    input wire clk,
    input wire rst,
    input wire tiles_valid,
    input wire tiles_invalidates,
    input wire [3:0] tiles_needed,
    input wire [3:0] tiles_same_tile,
    input wire [3:0] tiles_waits,
    input wire [107:0] tiles_line,
    input wire [23:0] tiles_set,
    input wire [1:0] tiles_kind,
    input wire [5:0] tiles_word_selects,
    input wire [28:0] tiles_tap,
    input wire invalidate,
    input wire has_room
);
    wire advance, invalidating, misses, out_valid;
    wire [207:0] miss;
    wire [81:0] queue_entry;
    wire [11:0] events;
    tag_stage dut (
        .clk(clk), .rst(rst), .tiles_valid(tiles_valid), .tiles_invalidates(tiles_invalidates), .tiles_needed(tiles_needed),
        .tiles_same_tile(tiles_same_tile), .tiles_waits(tiles_waits), .tiles_line(tiles_line), .tiles_set(tiles_set),
        .tiles_kind(tiles_kind), .tiles_word_selects(tiles_word_selects), .tiles_tap(tiles_tap),
        .advance(advance), .invalidate(invalidate), .invalidating(invalidating), .has_room(has_room), .misses(misses), .miss(miss),
        .out_valid(out_valid), .queue_entry(queue_entry), .events(events)
    );
    reg started = 1'b0;
    always @(posedge clk) started <= 1'b1;
    always @* assume (rst || started);

    wire accepted = tiles_valid && advance && !rst;
    wire invalidates = (invalidate || (tiles_invalidates && advance)) && !rst;
    wire inner_clearing, inner_is_settled, inner_is_open;
    wire [5:0] inner_clear_set;
    wire [13:0] inner_number;
    wire [12:0] inner_fill_count;
    wire [3:0] inner_in_flight_places;
    wire inner_queued;
    wire [4:1] under_way = inner_in_flight_places;

    // Slots come out as they go in, each once, with the misses up to it counted.
    reg [5:1] gone = 5'd0;
    reg [144:0] taps;
    reg [29:0] sides;
    reg [9:0] kinds;
    reg [13:0] items_left = 14'd0;
    reg [12:0] missing = 13'd0;
    wire [3:0] missed = miss[3:0];
    wire [12:0] missing_now = missing + missed[0] + missed[1] + missed[2] + missed[3];
    always @(posedge clk) begin
        gone <= rst ? 5'd0 : {gone[4:1], accepted};
        taps <= {taps[115:0], tiles_tap};
        sides <= {sides[23:0], tiles_word_selects};
        kinds <= {kinds[7:0], tiles_kind};
        missing <= rst ? 13'd0 : missing_now;
        if (rst) items_left <= 14'd0;
        else if (out_valid) items_left <= items_left + 14'd1;
    end
    always @* begin
        each_item_once: assert (out_valid == gone[5]);
        only_of_items: assert (gone[4] || missed == 4'd0);
        tells_of_misses: assert (misses == (missed != 4'd0));
        if (out_valid) begin
            right_item: assert (queue_entry[81:53] == taps[144:116]);
            counts_misses: assert (queue_entry[12:0] == missing);
        end
        if (misses) begin
            right_number: assert (miss[15:6] == items_left[9:0] + out_valid);
        end
    end

    // The words that an item reads: of each bank of texels the parities of its tile, and the place of that tile.
    reg [27:0] places;
    always @(posedge clk) places <= miss[151:124];
    wire [5:0] own_sides = sides[29:24];
    wire indexed = kinds[8];
    wire [39:0] words;
    genvar bank;
    generate
        for (bank = 0; bank < 4; bank = bank + 1) begin : texels
            localparam COLUMN = bank % 2;
            localparam ROW = bank / 2;
            wire column_is_odd = own_sides[indexed ? ROW : COLUMN];
            wire row_is_odd = own_sides[2 + (indexed ? COLUMN : ROW)];
            wire [6:0] even = column_is_odd ? places[13:7] : places[6:0];
            wire [6:0] odd = column_is_odd ? places[27:21] : places[20:14];
            assign words[10 * bank +: 10] = {row_is_odd, column_is_odd, row_is_odd ? odd : even, own_sides[4 + ROW] && !indexed};
        end
    endgenerate
    always @* if (out_valid) right_words: assert (queue_entry[52:13] == words);

    // No more items leave than are under way when there is no room any more.
    reg [6:1] had_room = 6'd0;
    always @(posedge clk) had_room <= rst ? 6'd0 : {had_room[5:1], has_room};
    always @* begin
        few_without_room: assert (!out_valid || had_room != 6'd0);
        few_misses_without_room: assert (!misses || had_room[5:1] != 5'd0);
        waits_while_emptied: assert (!invalidating || !advance);
        waits_as_told: assert (tiles_waits == 4'd0 || !advance);
    end

    wire [3:0] hit, hit_of_repeat;
    wire [5:0] inner_bank_0_tags_0_watched, inner_bank_0_tags_1_watched, inner_bank_0_last_readers_watched;
    wire [29:0] inner_bank_0_tags_0_word, inner_bank_0_tags_1_word;
    wire [13:0] inner_bank_0_last_readers_word;
    wire inner_bank_0_choice_last_way;
    watched_bank bank_0 (
        .clk(clk), .rst(rst), .accepted(accepted), .used(tiles_needed[0]), .repeats(tiles_same_tile[0]),
        .key({tiles_kind, tiles_line[26:0]}), .set(tiles_set[5:0]), .invalidates(invalidates), .invalidate_pending(invalidating),
        .clearing(inner_clearing), .clear_set(inner_clear_set), .decides(gone[4]), .missed(missed[0]),
        .miss_key({miss[4], miss[5], miss[42:16]}), .way(miss[130]), .place_set(miss[129:124]), .user(miss[165:152]), .number(inner_number),
        .tags_0_watched(inner_bank_0_tags_0_watched), .tags_1_watched(inner_bank_0_tags_1_watched),
        .users_watched(inner_bank_0_last_readers_watched), .tag_0(inner_bank_0_tags_0_word), .tag_1(inner_bank_0_tags_1_word),
        .users_word(inner_bank_0_last_readers_word), .last_way(inner_bank_0_choice_last_way), .hit(hit[0]), .hit_of_repeat(hit_of_repeat[0])
    );
    wire [5:0] inner_bank_3_tags_0_watched, inner_bank_3_tags_1_watched, inner_bank_3_last_readers_watched;
    wire [29:0] inner_bank_3_tags_0_word, inner_bank_3_tags_1_word;
    wire [13:0] inner_bank_3_last_readers_word;
    wire inner_bank_3_choice_last_way;
    watched_bank bank_3 (
        .clk(clk), .rst(rst), .accepted(accepted), .used(tiles_needed[3]), .repeats(tiles_same_tile[3]),
        .key({tiles_kind, tiles_line[107:81]}), .set(tiles_set[23:18]), .invalidates(invalidates), .invalidate_pending(invalidating),
        .clearing(inner_clearing), .clear_set(inner_clear_set), .decides(gone[4]), .missed(missed[3]),
        .miss_key({miss[4], miss[5], miss[123:97]}), .way(miss[151]), .place_set(miss[150:145]), .user(miss[207:194]), .number(inner_number),
        .tags_0_watched(inner_bank_3_tags_0_watched), .tags_1_watched(inner_bank_3_tags_1_watched),
        .users_watched(inner_bank_3_last_readers_watched), .tag_0(inner_bank_3_tags_0_word), .tag_1(inner_bank_3_tags_1_word),
        .users_word(inner_bank_3_last_readers_word), .last_way(inner_bank_3_choice_last_way), .hit(hit[3]), .hit_of_repeat(hit_of_repeat[3])
    );

`ifndef SHORTENED
    // For the induction.
    always @* begin
        items_known: assert (under_way == gone[4:1] && inner_queued == gone[5]);
        quiet_is_quiet: assert (inner_is_settled == (under_way == 4'd0));
        closed_while_dropping: assert (!invalidating || !inner_is_open);
        sweeps_in_quiet: assert (!inner_clearing || (under_way == 4'd0 && invalidating));
        sweep_begins: assert (inner_clearing || inner_clear_set == 6'd0);
        number_is_count: assert (inner_number == items_left + out_valid && inner_fill_count == missing);
    end
`endif
    reg dropped = 1'b0;
    always @(posedge clk) if (invalidate && gone[1]) dropped <= 1'b1;
    always @* begin
        hit_after_miss: cover (hit[0]);
        repeat: cover (hit_of_repeat[3]);
        four_misses: cover (missed == 4'hf);
        miss_after_drop: cover (misses && dropped && !invalidating);
    end
endmodule
